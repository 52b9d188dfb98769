import { describe, expect, it } from 'vitest';
import { ok } from '../../src/core/base/result.ts';
import { callerKeyOf, credentialOf, ownCredential } from '../../src/jobs/caller-keys.ts';
import { callerWith } from '../support/rest-scene.ts';

const clientOf = (subject: string | null) => ok({ subject, scopes: new Set<never>() });

const keyOf = (...[caller]: Parameters<typeof callerKeyOf>) => {
  const key = callerKeyOf(caller);
  if (!key.ok) throw new Error(key.error.message);
  return key.value;
};

describe('the key of a caller', () => {
  it('tells subjects and tokens apart, and never counts a lent token', () => {
    const own = callerWith('lent');
    const callers = [
      own,
      callerWith('other'),
      { ...own, sentToken: null },
      { ...own, sentToken: 'sent' },
      { ...own, client: clientOf('anna') },
      { ...own, client: clientOf('anna'), sentToken: null },
      { ...own, client: clientOf('anna","lent'), sentToken: null },
    ];
    expect(new Set(callers.map(keyOf)).size).toBe(callers.length);
    const lentAgain = { ...callerWith('another lent token'), sentToken: 'sent' };
    expect(keyOf(lentAgain)).toBe(keyOf({ ...own, sentToken: 'sent' }));
  });

  it('is refused to a JWT without a subject', () => {
    expect(callerKeyOf({ ...callerWith(), client: clientOf(null) })).toMatchObject({
      ok: false,
      error: { kind: 'forbidden', message: expect.stringContaining('sub') },
    });
  });
});

describe('the credential of a job', () => {
  const credentials = { serviceUrl: 'https://service.example/', ownToken: 'own' };

  it('names the service and the token, and a lent one goes on alone', () => {
    const sent = credentialOf(credentials, callerWith('sent'));
    expect(sent).toMatchObject({ apiToken: 'sent', isUnattended: false });
    const lent = credentialOf(credentials, { ...callerWith('own'), sentToken: null });
    expect(lent).toEqual(ownCredential(credentials));
    expect(lent).toMatchObject({ apiToken: 'own', isUnattended: true });
    expect(credentialOf({ ...credentials, serviceUrl: 'https://service.example' }, callerWith('sent'))).toEqual(sent);
    const elsewhere = credentialOf({ ...credentials, serviceUrl: 'https://other.example' }, callerWith('sent'));
    expect(new Set([sent, lent, elsewhere].map(({ credentialHash }) => credentialHash)).size).toBe(3);
    expect(JSON.stringify([sent.credentialHash, lent.credentialHash])).not.toMatch(/sent|own/u);
  });

  it('is one for all tokens of the embedded store', () => {
    const store = { serviceUrl: null, ownToken: 'first' };
    expect(credentialOf(store, callerWith('second'))).toEqual(ownCredential(store));
  });
});
