import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { databaseToDrop } from '../../backend/local/store.ts';
import { openStateLink } from '../../gateways/state-link.ts';
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

  /** A state of its own for each test, and a link to it that the test can cut. */
  async function openState() {
    const { url } = await databaseToDrop();
    const link = await openStateLink(url);
    onTestFinished(() => link.close());
    const readNames = async () => {
      const client = new Client({ connectionString: url });
      await client.connect();
      const { rows } = await client.query<{ name: string }>('select name from gateways order by name');
      await client.end();
      return rows.map(({ name }) => name);
    };
    return { link, readNames };
  }

  it.each([
    ['closed', 503],
    ['open', 200],
  ])('with STATE_FAILURE=%s is %i in readiness while it cannot be written', async (STATE_FAILURE, status) => {
    const { link, readNames } = await openState();
    const port = await freePort();
    const gateway = await start({ STATE_URL: link.url, STATE_FAILURE, PORT: `${port}` });
    expect(await gateway.ready()).toMatchObject({ status: 200 });
    expect(await readNames()).toEqual([expect.stringContaining(`127.0.0.1:${port}`)]);
    link.cut();
    await expect.poll(() => gateway.log() + gateway.printed()).toContain('the shared state is unavailable');
    await expect.poll(async () => (await gateway.ready()).status).toBe(status);
    if (status === 503) expect((await gateway.ready()).body).toContain('The state that the gateways share');
    link.heal();
    await expect.poll(() => gateway.log() + gateway.printed()).toContain('the shared state is available again');
    await expect.poll(async () => (await gateway.ready()).status).toBe(200);
    await gateway.stop();
    expect(await readNames()).toEqual([]);
  });

  it('does not begin without it', async () => {
    const failed = start({ STATE_URL: 'postgres://kb:secret-password@127.0.0.1:1/kb' });
    await expect(failed).rejects.toThrow('STATE_URL');
    await expect(failed).rejects.not.toThrow('secret-password');
  });
});
