import { describe, expect, it } from 'vitest';
import {
  createLending,
  createStrangerChecks,
  identifyCaller,
  type TokenChecks,
} from '../../src/auth/identify-caller.ts';
import { err, ok } from '../../src/base/result.ts';
import type { Share } from '../../src/base/semaphore.ts';
import { type Caller, type ClientAuthentication, strangerFrom } from '../../src/domain/callers/caller.ts';
import { RequestRecord } from '../../src/domain/callers/request-record.ts';
import { unauthenticated } from '../../src/domain/errors.ts';

/** A backend whose service has accepted the tokens that begin with `good`. */
function openTokens() {
  const watchers = new Set<(isAccepted: boolean) => void>();
  const tokens: TokenChecks = {
    authenticate: ({ apiToken }) => (apiToken === null ? err(unauthenticated()) : ok(undefined)),
    requireKnown: async ({ apiToken }) => (apiToken === 'new' ? ok(undefined) : err(unauthenticated())),
    tokenVerdicts: {
      isAccepted: ({ apiToken }) => apiToken?.startsWith('good') === true,
      watch: (_caller, onVerdict) => {
        watchers.add(onVerdict);
        return () => watchers.delete(onVerdict);
      },
    },
  };
  return { tokens, watchers };
}

/** Accepts every JWT; its only claim is the subject, or `-` for none. */
const clients = (apiToken: string | null): ClientAuthentication => ({
  apiToken,
  identify: async ({ headers }) => {
    const jwt = headers.get('authorization');
    return jwt === null ? err(unauthenticated()) : ok({ subject: jwt === '-' ? null : jwt, scopes: new Set() });
  },
});

const lend = createLending({ upstreamToken: 'lent', apiTokens: ['mine', 'mine too'] });

interface Sent {
  readonly token?: string;
  readonly jwt?: string;
  readonly address?: string;
}

function requestOf({ token, jwt, address = '192.0.2.1' }: Sent) {
  const headers: Record<string, string | undefined> = { api_token: token, authorization: jwt };
  const request = new RequestRecord();
  request.share = strangerFrom(address);
  return { headers: { get: (name: string) => headers[name] ?? null }, requestTimeoutMs: 1_000, address, request };
}

async function shareOf(sent: Sent, { tokens } = openTokens()): Promise<Share> {
  const identification = { clients: sent.jwt === undefined ? null : clients('lent'), lend };
  const caller: Caller = await identifyCaller(requestOf(sent), identification, tokens);
  return caller.request.share;
}

describe('the share of a request', () => {
  it('is its own for a caller whose token is accepted, or who is lent one', async () => {
    for (const sent of [{ token: 'good' }, { token: 'mine' }, { jwt: 'alice' }, { jwt: '-' }])
      expect(await shareOf(sent)).toMatchObject({ isStranger: false });
  });

  it('is none of the strangers in its network where its JWT has no subject, nor that of a name which says the same', async () => {
    const { key } = await shareOf({ jwt: '-' });
    for (const sent of [{}, { jwt: '192.0.2.1' }, { token: 'good 192.0.2.1' }])
      expect((await shareOf(sent)).key).not.toBe(key);
  });

  it('has a short key, however long the token is', async () => {
    const keys = await Promise.all(['a', 'b'].map((end) => shareOf({ token: `good${'x'.repeat(10_000)}${end}` })));
    expect(new Set(keys.map(({ key }) => key)).size).toBe(2);
    expect(keys.every(({ key }) => key.length < 100)).toBe(true);
  });

  it('is that of its network for everybody else', async () => {
    const network = { key: 'network 192.0.2.1', isStranger: true };
    for (const sent of [{}, { token: 'made up' }]) expect(await shareOf(sent)).toEqual(network);
    expect(await shareOf({ address: '::ffff:192.0.2.1' })).toEqual(network);
    const [one, same, other] = ['2001:db8:0:1::1', '2001:db8:0:1:2:3:4:5', '2001:db8:0:2::1'].map(strangerFrom);
    expect([one?.key === same?.key, one?.key === other?.key]).toEqual([true, false]);
  });

  it('is that of its subject for a client whose own token is not accepted', async () => {
    const { key } = await shareOf({ jwt: 'alice' });
    expect(await shareOf({ jwt: 'alice', token: 'made up' })).toEqual({ key, isStranger: true });
  });

  it('is that of its token where the embedded store decides alone', async () => {
    const { authenticate, requireKnown } = openTokens().tokens;
    const local = { tokens: { authenticate, requireKnown }, watchers: new Set<() => void>() };
    expect(await shareOf({ token: 'any' }, local)).toMatchObject({ isStranger: false });
    expect(await shareOf({}, local)).toMatchObject({ isStranger: true });
  });

  it('tells apart a subject, a token and a network of the same text, and callers who are lent the same token', async () => {
    const sents = [
      { jwt: 'good' },
      { token: 'good' },
      { jwt: '-', address: 'good' },
      { token: 'mine' },
      { token: 'mine too' },
    ];
    const keys = await Promise.all(sents.map(async (sent) => (await shareOf(sent)).key));
    expect(new Set(keys).size).toBe(sents.length);
    expect((await shareOf({ jwt: 'good', address: '::1' })).key).toBe(keys[0]);
    // They share a token, and have no name.
    expect((await shareOf({ jwt: '-', address: 'elsewhere' })).key).not.toBe(keys[2]);
  });

  it('becomes its own when the service accepts the token, or is asked and accepts it', async () => {
    const opened = openTokens();
    const { watch, makeKnown, verify } = createStrangerChecks(opened.tokens);
    const identify = (token: string) =>
      identifyCaller(requestOf({ token }), { clients: null, lend: null }, opened.tokens);
    const watched = await identify('new');
    const verdicts: boolean[] = [];
    const stop = watch(watched, (isAccepted) => {
      verdicts.push(isAccepted);
      if (isAccepted) makeKnown(watched);
    });
    for (const watcher of opened.watchers) watcher(false);
    expect(watched.request.share.isStranger).toBe(true);
    for (const watcher of opened.watchers) watcher(true);
    expect([watched.request.share.isStranger, verdicts]).toEqual([false, [false, true]]);
    stop();
    expect(opened.watchers.size).toBe(0);

    const [verified, refused] = [await identify('new'), await identify('made up')];
    expect([(await verify(verified)).ok, (await verify(refused)).ok]).toEqual([true, false]);
    expect([verified.request.share.isStranger, refused.request.share.isStranger]).toEqual([false, true]);
  });
});
