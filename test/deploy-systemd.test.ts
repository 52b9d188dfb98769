import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { needs } from './support/needs.ts';
import { startGatewayProcess } from './support/process.ts';

const UNIT = 'deploy/systemd/kb-gateway.service';

let folder: string;
let unit: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kb-gateway-systemd-'));
  unit = await readFile(UNIT, 'utf8');
});

afterAll(() => rm(folder, { recursive: true }));

const valuesOf = (name: string): readonly string[] =>
  [...unit.matchAll(new RegExp(`^${name}=(.*)$`, 'gmu'))].map(([, value = '']) => value);

const analyze = (...args: readonly string[]) => spawnSync('systemd-analyze', args, { encoding: 'utf8' });

describe('the unit of systemd', () => {
  const needsSystemd = needs(analyze('--version').status === 0, 'systemd-analyze is missing');

  it('is understood by systemd, which finds it confined', needsSystemd, () => {
    const { status, stdout, stderr } = analyze('verify', '--man=no', UNIT);
    expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: '', stderr: '' });
    // From 0, the most confined, to 100.
    const { status: confined, stdout: findings } = analyze('security', '--offline=true', '--threshold=20', UNIT);
    expect(confined, findings).toBe(0);
  });

  it('starts the gateway with its variables, and lets it stop in time', async () => {
    expect(valuesOf('ExecStart')).toEqual(['/usr/bin/env kb-gateway serve']);
    const named = Object.fromEntries(valuesOf('Environment').map((value) => value.split(/=(.*)/u, 2)));
    const place = (value: string) => value.replace(/^\/var\/(?:lib|cache)\/kb-gateway$/u, folder);
    const settings = Object.fromEntries(Object.entries(named).map(([name, value]) => [name, place(`${value}`)]));
    expect(new Set(valuesOf('StateDirectory').concat(valuesOf('CacheDirectory')))).toEqual(new Set(['kb-gateway']));
    const gateway = await startGatewayProcess({ cwd: folder, settings });
    expect((await fetch(new URL('/health/ready', gateway.url))).status).toBe(200);
    const { code, log } = await gateway.stop();
    expect({ code, log }).toEqual({ code: 0, log: expect.not.stringContaining('"warn"') });
    expect(existsSync(join(folder, 'data/kb.db.api-token'))).toBe(true);
    expect(1_000 * Number(valuesOf('TimeoutStopSec')[0])).toBeGreaterThanOrEqual(
      Number(settings['SHUTDOWN_GRACE_MS']) + 3_000,
    );
  });
});
