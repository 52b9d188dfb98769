import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { openFaultyService } from '../../support/faulty-service.ts';
import { freePort } from '../../support/ports.ts';
import { startGatewayProcess } from '../../support/process.ts';

describe('the shared state of serve', () => {
  let cwd: string;
  let service: Awaited<ReturnType<typeof openFaultyService>>;

  beforeEach(async () => {
    cwd = await mkdtemp(join(tmpdir(), 'kb-gateway-shared-'));
    service = await openFaultyService();
  });
  afterEach(async () => {
    await service.close();
    await rm(cwd, { recursive: true });
  });

  async function start(settings: Readonly<Record<string, string>>) {
    const gateway = await startGatewayProcess({ cwd, settings: { UPSTREAM_URL: service.url, ...settings } });
    onTestFinished(async () => void (await gateway.stop('SIGKILL')));
    const ready = async () => {
      const response = await fetch(new URL('/health/ready', gateway.url));
      return { status: response.status, body: await response.text() };
    };
    return { ...gateway, ready };
  }

  /** The names of the gateways that are alive or missing. */
  function readNames(path: string): readonly unknown[] {
    const file = new DatabaseSync(join(cwd, path), { timeout: 10_000 });
    const rows = file.prepare('select name from gateways order by name').all();
    file.close();
    return rows.map(({ name }) => name);
  }

  /** Keeps all others from writing until it is closed. */
  function lockFile(path: string): DatabaseSync {
    const file = new DatabaseSync(join(cwd, path), { timeout: 10_000 });
    file.exec('begin immediate');
    return file;
  }

  it.each([
    ['closed', 503],
    ['open', 200],
  ])('with STATE_FAILURE=%s is %i in readiness while it cannot be written', async (STATE_FAILURE, status) => {
    const gateway = await start({ STATE_URL: 'sqlite:state.db', STATE_FAILURE });
    expect(await gateway.ready()).toMatchObject({ status: 200 });
    const lock = lockFile('state.db');
    await expect.poll(() => gateway.log() + gateway.printed()).toContain('the shared state is unavailable');
    await expect.poll(async () => (await gateway.ready()).status).toBe(status);
    if (status === 503) expect((await gateway.ready()).body).toContain('The state that the gateways share');
    lock.close();
    await expect.poll(() => gateway.log() + gateway.printed()).toContain('the shared state is available again');
    await expect.poll(async () => (await gateway.ready()).status).toBe(200);
    await gateway.stop();
    expect(readNames('state.db')).toEqual([]);
  });

  it('has each worker under the name of its number', async () => {
    await start({ WORKERS: '2', PORT: String(await freePort()) });
    await expect.poll(() => readNames('data/state.db')).toHaveLength(2);
    const names = readNames('data/state.db').map(String);
    expect(names.map((name) => name.slice(-2))).toEqual([' 1', ' 2']);
  });

  it('does not begin without it', async () => {
    const failed = start({ STATE_URL: 'postgres://kb:secret-password@127.0.0.1:1/kb' });
    await expect(failed).rejects.toThrow('STATE_URL');
    await expect(failed).rejects.not.toThrow('secret-password');
  });
});
