import { readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { GroupTitlesDocument } from '../../support/generated/operations.ts';
import { ask, runGateway } from '../../support/process.ts';
import { linesOf, listening, untilListening } from './worker-log.ts';
import { openWorkerScene, upTo, type WorkerScene } from './worker-scene.ts';

let scene: WorkerScene;
let cwd: string;

beforeEach(async () => {
  scene = await openWorkerScene();
  ({ cwd } = scene);
});

afterEach(() => scene.close());

const start: WorkerScene['start'] = (...args) => scene.start(...args);

describe('several workers', () => {
  it('print one welcome with the one token that all of them accept', async () => {
    const gateway = await start(3);
    const results = upTo(12).map(() => ask(gateway, GroupTitlesDocument, {}));
    for (const { readerGroups } of await Promise.all(results)) expect(readerGroups?.nodes).not.toEqual([]);
    const { stdout, log, code } = await gateway.stop();
    expect(code).toBe(0);
    expect(stdout.match(/API token/gu)).toHaveLength(1);
    const stopped = linesOf(log).filter(({ message }) => message === 'stopped');
    expect(new Set(stopped.map(({ worker }) => worker))).toEqual(new Set([...listening(gateway), undefined]));
  });

  it('are replaced when one ends, while the others serve', async () => {
    const gateway = await start(2);
    const [killed] = listening(gateway);
    if (killed === undefined) throw new Error('no worker');
    process.kill(killed, 'SIGKILL');
    await untilListening(gateway, 3);
    expect((await ask(gateway, GroupTitlesDocument, {})).readerGroups?.nodes).not.toEqual([]);
    const { code, log } = await gateway.stop();
    expect(code).toBe(0);
    expect(linesOf(log)).toContainEqual(
      expect.objectContaining({ message: 'a worker ended and is started again', worker: killed, signal: 'SIGKILL' }),
    );
  });

  it('serve with the secrets and documents of the start, also those that start after the files have changed', async () => {
    const path = (name: string) => join(cwd, name);
    const token = 'token-of-the-start';
    await writeFile(path('token'), token);
    await writeFile(path('url'), 'sqlite:one.db');
    await writeFile(path('documents.json'), JSON.stringify({ a1: '{ a: __typename }' }));
    const gateway = await start(2, {
      API_TOKEN_FILE: path('token'),
      DATABASE_URL_FILE: path('url'),
      PERSISTED_DOCUMENTS: path('documents.json'),
    });
    await writeFile(path('token'), 'another-token');
    await rm(path('url'));
    await writeFile(path('documents.json'), '{ no JSON');
    const old = listening(gateway);
    for (const worker of old) process.kill(worker, 'SIGKILL');
    await untilListening(gateway, 4);
    const { readerGroups } = await ask({ url: gateway.url, token }, GroupTitlesDocument, {});
    expect(readerGroups?.nodes).not.toEqual([]);
    const response = await fetch(gateway.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', api_token: token },
      body: JSON.stringify({ documentId: 'a1' }),
    });
    expect(await response.json()).toEqual({ data: { a: 'Query' } });
    expect(await readdir(cwd)).toEqual(expect.arrayContaining(['one.db']));
  });

  it('end when their supervisor is killed', async () => {
    const gateway = await start(2);
    // The output ends with the last process that has it open.
    expect(await gateway.stop('SIGKILL')).toMatchObject({ code: null });
  });
});

describe('workers that cannot start', () => {
  const run = (settings: Record<string, string>) => runGateway([], { cwd, settings: { PORT: '0', ...settings } });

  it.each(['2', 'auto'])(
    'are refused with a store in memory, which each process would have for itself: %s',
    async (workers) => {
      const { code, stderr } = await run({ WORKERS: workers, DATABASE_URL: 'sqlite::memory:' });
      expect(code).toBe(1);
      expect(stderr).toBe(
        `kb-gateway: These settings are wrong:\n  WORKERS is "${workers}"; allowed: 1 with sqlite::memory:, which is a store of one process\n`,
      );
    },
  );

  it.each(['0', '129', 'many', '1.5'])('are refused when their number is %s', async (workers) => {
    const { code, stderr } = await run({ WORKERS: workers });
    expect(code).toBe(1);
    expect(stderr).toContain(`WORKERS is "${workers}"; allowed: a whole number from 1 to 128, or auto`);
  });

  it('report the reason once, and leave no process', async () => {
    const { url } = await start(2);
    const { code, stdout, stderr } = await run({ WORKERS: '3', PORT: new URL(url).port });
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr.match(/is in use/gu)).toHaveLength(1);
  });
});
