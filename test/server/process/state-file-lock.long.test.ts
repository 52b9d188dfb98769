import { existsSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { envelope, type FaultyService, json, openFaultyService } from '../../support/faulty-service.ts';
import { type RunningGateway, runGateway, startGatewayProcess } from '../../support/process.ts';

const KEYED_UPDATE = `mutation ($key: String!) {
  written: bulkUpdateArticles(idempotencyKey: $key, input: { articles: [{ articleId: "a", title: "A" }] }) {
    __typename
    ... on MutationError { code }
  }
}`;

const IN_USE =
  /^kb-gateway: another gateway runs with the state in sqlite:\S+ \((?:STATE|DATABASE)_URL\): stop that one first[^\n]*\n$/u;

describe('a SQLite file with the state', () => {
  let cwd: string;
  let service: FaultyService;

  beforeEach(async () => {
    cwd = await mkdtemp(join(tmpdir(), 'kb-gateway-lock-'));
    service = await openFaultyService();
    service.on('PUT /v2/Articles/bulkupdate', json(200, envelope([{ article_id: 'a', success: true }])));
    service.onAny(json(200, envelope([])));
  });
  afterEach(async () => {
    await service.close();
    await rm(cwd, { recursive: true });
  });

  const restSettings = () => ({
    UPSTREAM_URL: service.url,
    UPSTREAM_API_TOKEN: 'service-token',
    API_TOKEN: 'token',
    STATE_URL: 'sqlite:state.db',
  });

  async function start(settings: Readonly<Record<string, string>>): Promise<RunningGateway> {
    const gateway = await startGatewayProcess({ cwd, settings });
    onTestFinished(async () => void (await gateway.stop('SIGKILL')));
    return gateway;
  }

  async function writeWithKey({ url }: RunningGateway, key: string): Promise<unknown> {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', api_token: 'token' },
      body: JSON.stringify({ query: KEYED_UPDATE, variables: { key } }),
    });
    return JSON.parse(await response.text()).data?.written;
  }

  const updated = { __typename: 'BulkUpdateArticlesPayload' };
  const unavailable = { __typename: 'ServiceUnavailableError', code: 'UNAVAILABLE' };

  it('is that of one gateway from its start: a second one does not start until the first has ended, by kill -9 too', async () => {
    const first = await start(restSettings());
    expect(await writeWithKey(first, 'one')).toEqual(updated);
    await first.stop();
    expect(await readdir(cwd)).toEqual(['state.db', 'state.db.lock']);

    const second = await start(restSettings());
    const refused = await runGateway(['serve'], { cwd, settings: { ...restSettings(), PORT: '0' } });
    expect(refused).toMatchObject({ code: 1, stdout: '', stderr: expect.stringMatching(IN_USE) });
    expect(await writeWithKey(second, 'two')).toEqual(updated);
    await second.stop('SIGKILL');
    const third = await start(restSettings());
    expect(await writeWithKey(third, 'three')).toEqual(updated);
  });

  it('is that of the gateway which creates it: another one that runs refuses keys, and takes it over in the end', async () => {
    const [one, other] = [await start(restSettings()), await start(restSettings())];
    expect(existsSync(join(cwd, 'state.db'))).toBe(false);
    expect(await writeWithKey(one, 'one')).toEqual(updated);
    expect(await writeWithKey(other, 'other')).toEqual(unavailable);
    await expect.poll(() => other.log()).toContain('Another process runs the jobs and keys of this SQLite file.');
    await one.stop('SIGKILL');
    await expect.poll(() => writeWithKey(other, 'other')).toEqual(updated);
  });

  it('is created by one of many that come at once', async () => {
    const gateways = await Promise.all([1, 2, 3].map(() => start(restSettings())));
    const outcomes = await Promise.all(gateways.map((gateway, index) => writeWithKey(gateway, `key-${index}`)));
    expect(outcomes).toEqual(expect.arrayContaining([updated, unavailable]));
    expect(outcomes.filter((outcome) => Object(outcome).code === 'UNAVAILABLE')).toHaveLength(2);
  });

  it('can be that of the store, which other commands read and write meanwhile', async () => {
    const settings = { DATABASE_URL: 'sqlite:kb.db', API_TOKEN: 'token' };
    const first = await start(settings);
    const refused = await runGateway(['serve'], { cwd, settings: { ...settings, PORT: '0' } });
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringMatching(IN_USE) });
    for (const command of [
      ['export', 'kb.json'],
      ['import', 'kb.json'],
      ['backup', 'copy.db'],
    ]) {
      expect(await runGateway(command, { cwd, settings }), command.join(' ')).toMatchObject({ code: 0 });
    }
    await first.stop();
    expect((await readdir(cwd)).sort()).toEqual(['copy.db', 'kb.db', 'kb.db.lock', 'kb.json']);
  });

  it('is not locked in memory', async () => {
    for (const gateway of [1, 2].map(() => start({ ...restSettings(), STATE_URL: 'sqlite::memory:' })))
      expect(await writeWithKey(await gateway, 'key')).toEqual(updated);
    expect(await readdir(cwd)).toEqual([]);
  });
});
