import { createPrivateKey } from 'node:crypto';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningGateway, runGateway, startGatewayProcess } from '../support/process.ts';

/** The variables of the command that is printed, as a shell would read them. */
const variablesIn = (text: string): Record<string, string> =>
  Object.fromEntries(
    [...text.matchAll(/(CLIENT_\w+)=(?:'([^']*)'|(\S+))/gu)].map(([, name, ...values]) => [name, values.join('')]),
  );

const document = `mutation {
  articles: bulkUpdateArticles(input: { articles: [{ articleId: "pair-a-lamp", title: "Pair" }] }) {
    __typename ... on MutationError { code } }
  groups: updateReaderGroup(input: { groupId: "staff", title: "Staff" }) { __typename ... on MutationError { code } }
}`;

describe('dev-jwt', () => {
  let cwd: string;
  let gateway: RunningGateway;
  let settings: Record<string, string>;
  let jwt: string;
  beforeAll(async () => {
    cwd = await mkdtemp(join(tmpdir(), 'kb-gateway-dev-jwt-'));
    const printed = await runGateway(['dev-jwt', '--scope', 'read articles:write'], { cwd });
    expect(printed.code).toBe(0);
    settings = variablesIn(printed.stderr);
    jwt = printed.stdout.trim();
    gateway = await startGatewayProcess({ cwd, settings });
  });
  afterAll(async () => {
    await gateway?.stop('SIGKILL');
    await rm(cwd, { recursive: true });
  });

  async function send(bearer: string) {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${bearer}` };
    const response = await fetch(gateway.url, { method: 'POST', headers, body: JSON.stringify({ query: document }) });
    const { data } = await response.json();
    return data;
  }

  it('prints a JWT that the gateway accepts with the printed settings, for its scopes alone', async () => {
    expect(await send(jwt)).toEqual({
      articles: { __typename: 'BulkUpdateArticlesPayload' },
      groups: { __typename: 'AuthenticationError', code: 'FORBIDDEN' },
    });
  });

  it('keeps its key beside the store, for its owner alone, and takes it again', { tags: 'long' }, async () => {
    expect((await stat(join(cwd, 'data/kb.db.dev-key.pem'))).mode & 0o777).toBe(0o600);
    const again = await runGateway(['dev-jwt', '--scope', 'groups:write'], { cwd });
    expect(variablesIn(again.stderr)).toEqual(settings);
    expect(await send(again.stdout.trim())).toMatchObject({
      articles: { code: 'FORBIDDEN' },
      groups: { __typename: 'UpdateReaderGroupPayload' },
    });
  });

  it('is accepted for an hour at most, whoever signs with its key', { tags: 'long' }, async () => {
    const key = createPrivateKey(await readFile(join(cwd, 'data/kb.db.dev-key.pem')));
    const sign = (time: string) =>
      new SignJWT({ iss: 'kb-gateway-dev', aud: 'kb-gateway', scope: 'articles:write' })
        .setProtectedHeader({ alg: 'EdDSA' })
        .setExpirationTime(time)
        .sign(key);
    expect(await send(await sign('59m'))).toMatchObject({ articles: { __typename: 'BulkUpdateArticlesPayload' } });
    expect(await send(await sign('61m'))).toMatchObject({ articles: { code: 'UNAUTHENTICATED' } });
  });

  it.each(['0.0.0.0', '::', '192.0.2.1'])(
    'is no issuer for a gateway on %s, which does not start',
    { tags: 'long' },
    async (HOST) => {
      const started = await runGateway(['serve'], { cwd, settings: { ...settings, HOST } });
      expect(started.code).toBe(1);
      expect(started.stderr).toContain('CLIENT_JWT_ISSUER is "kb-gateway-dev"; allowed: another issuer');
    },
  );

  it.each([[[]], [['--scope', '']], [['--scope', 'read write']]])(
    'needs scopes that there are: %j',
    { tags: 'long' },
    async (args) => {
      const { code, stdout, stderr } = await runGateway(['dev-jwt', ...args], { cwd });
      expect([code, stdout]).toEqual([1, '']);
      expect(stderr).toContain('--scope takes one or more of read, articles:write, articles:publish, groups:write');
    },
  );
});
