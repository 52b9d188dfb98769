import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { openStateLink } from '../../gateways/state-link.ts';
import { databaseToDrop } from '../../store/store.ts';
import { openFaultyService } from '../../support/faulty-service.ts';
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

  /** A state of its own for each test, and a link to it that the test can cut. */
  async function openState() {
    const { url } = await databaseToDrop();
    const link = await openStateLink(url);
    onTestFinished(() => link.close());
    const countGateways = async () => {
      const client = new Client({ connectionString: url });
      await client.connect();
      const { rows } = await client.query('select instance from gateways');
      await client.end();
      return rows.length;
    };
    return { link, countGateways };
  }

  it.each([
    ['closed', 503],
    ['open', 200],
  ])('with STATE_FAILURE=%s is %i in readiness while it cannot be written', async (STATE_FAILURE, status) => {
    const { link, countGateways } = await openState();
    const gateway = await start({ STATE_URL: link.url, STATE_FAILURE });
    // Once the state is open.
    await expect.poll(async () => (await gateway.ready()).status).toBe(200);
    expect(await countGateways()).toBe(1);
    link.cut();
    await expect.poll(() => gateway.log() + gateway.printed()).toContain('the shared state is unavailable');
    await expect.poll(async () => (await gateway.ready()).status).toBe(status);
    if (status === 503) expect((await gateway.ready()).body).toContain('The state that the gateways share');
    link.heal();
    await expect.poll(() => gateway.log() + gateway.printed()).toContain('the shared state is available again');
    await expect.poll(async () => (await gateway.ready()).status).toBe(200);
    await gateway.stop();
    expect(await countGateways()).toBe(0);
  });

  it.each(['cut', 'silence'] as const)('begins without it, and is ready once it is there (%s)', async (trouble) => {
    const { link } = await openState();
    link[trouble]();
    const gateway = await start({ STATE_URL: link.url });
    expect(await gateway.ready()).toMatchObject({ status: 503 });
    link.heal();
    await expect.poll(async () => (await gateway.ready()).status).toBe(200);
  });

  it('does not begin with a database that is not its own, and names the setting', async () => {
    const { url, run } = await databaseToDrop();
    await run('create table recipes (name text)');
    await expect(start({ STATE_URL: url })).rejects.toThrow('STATE_URL names a database of another program');
  });
});
