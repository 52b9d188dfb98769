import { describe, expect, it } from 'vitest';
import { err, ok } from '../../../src/core/base/result.ts';
import { type ClientAuthentication, callerNameOf } from '../../../src/core/callers/caller.ts';
import { createRequestFacts } from '../../../src/core/callers/request-facts.ts';
import { unauthenticated } from '../../../src/core/errors.ts';
import { createLending, identifyCaller } from '../../../src/server/auth/identify-caller.ts';

/** Accepts every JWT; its only claim is the subject, or `-` for none. */
const clients: ClientAuthentication = {
  apiToken: 'lent',
  identify: async ({ headers }) => {
    const jwt = headers.get('authorization');
    return jwt === null ? err(unauthenticated()) : ok({ subject: jwt === '-' ? null : jwt, scopes: new Set() });
  },
};

const lend = createLending({ upstreamToken: 'lent', apiTokens: ['mine', 'mine too'] });

interface Sent {
  readonly token?: string;
  readonly jwt?: string;
  readonly address?: string;
}

async function nameOf({ token, jwt, address = '192.0.2.1' }: Sent): Promise<string> {
  const headers: Record<string, string | undefined> = { api_token: token, authorization: jwt };
  const request = createRequestFacts();
  const options = {
    headers: { get: (name: string) => headers[name] ?? null },
    requestTimeoutMs: 1_000,
    address,
    request,
  };
  return callerNameOf(await identifyCaller(options, { clients: jwt === undefined ? null : clients, lend }));
}

describe('the name of a caller', () => {
  it('is that of the token that was sent, wherever it comes from', async () => {
    const name = await nameOf({ token: 'one' });
    expect(await nameOf({ token: 'one', address: '192.0.2.2' })).toBe(name);
    expect(await nameOf({ token: 'other' })).not.toBe(name);
  });

  it('is that of the subject of a client, whatever token it sends', async () => {
    expect(await nameOf({ jwt: 'alice', token: 'any' })).toBe(await nameOf({ jwt: 'alice' }));
  });

  it('is that of the network for a caller without a token', async () => {
    expect(await nameOf({})).toBe('network 192.0.2.1');
    expect(await nameOf({ jwt: '-', address: '::ffff:192.0.2.1' })).toBe('network 192.0.2.1');
    const networks = ['2001:db8:0:1::1', '2001:db8:0:1:2:3:4:5', '2001:db8:0:2::1'].map((address) =>
      nameOf({ address }),
    );
    const [one, same, other] = await Promise.all(networks);
    expect([one === same, one === other]).toEqual([true, false]);
  });

  it('differs for a subject, a token and a network of the same text, and for callers who use the same service credential', async () => {
    const sents = [{ jwt: 'good' }, { token: 'good' }, { address: 'good' }, { token: 'mine' }, { token: 'mine too' }];
    expect(new Set(await Promise.all(sents.map(nameOf))).size).toBe(sents.length);
  });
});
