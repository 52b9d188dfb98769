import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { type RunningGateway, startGatewayProcess } from '../support/process.ts';
import { API_TOKEN, DATABASE, SETTINGS, type Settings } from './knowledge.ts';
import type { Ask } from './subjects.ts';

const MAIN = resolve('src/main.ts');

export interface Started {
  readonly gateway: RunningGateway;
  /** Milliseconds from the start of the process until it accepted requests. */
  readonly startMs: number;
}

export async function start(cwd: string, settings: Settings = SETTINGS): Promise<Started> {
  const begun = performance.now();
  const gateway = await startGatewayProcess({ cwd, settings });
  return { gateway, startMs: performance.now() - begun };
}

/** Within this time a gateway opens the store, recovers it and listens. */
const LONGEST_START_MS = 600;

/** Starts a gateway and kills it at a random moment of its start. */
export async function interruptStart(cwd: string, settings: Settings = SETTINGS): Promise<void> {
  const child = spawn(process.execPath, [MAIN, 'serve'], { cwd, env: { ...settings, PORT: '0' }, stdio: 'ignore' });
  const ended = once(child, 'close');
  await sleep(randomInt(LONGEST_START_MS));
  child.kill('SIGKILL');
  await ended;
}

/** A GraphQL response that reports the store as unavailable. */
export class StoreAway extends Error {}

export const askOf =
  ({ url }: RunningGateway): Ask =>
  async (query, variables) => {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', api_token: API_TOKEN },
      body: JSON.stringify({ query, variables }),
    });
    const { data, errors } = JSON.parse(await response.text());
    if (errors) throw isAway(errors) ? new StoreAway() : new Error(JSON.stringify(errors));
    return data;
  };

const isAway = (errors: readonly { readonly extensions?: { readonly code?: string } }[]): boolean =>
  errors.every(({ extensions }) => extensions?.code === 'UNAVAILABLE');

export const readinessOf = async ({ url }: RunningGateway): Promise<number> =>
  (await fetch(new URL('/health/ready', url))).status;

/** The problems that SQLite finds in a copy of the files, so that the originals are not recovered. */
export async function findingsOf(folder: string): Promise<readonly string[]> {
  const copy = await mkdtemp(join(tmpdir(), 'kb-gateway-copy-'));
  try {
    for (const suffix of ['', '-wal']) {
      await cp(join(folder, `${DATABASE}${suffix}`), join(copy, `${DATABASE}${suffix}`), { force: true });
    }
    const database = new DatabaseSync(join(copy, DATABASE));
    const rows = [
      ...database.prepare('pragma integrity_check').all(),
      ...database.prepare('pragma foreign_key_check').all(),
    ];
    database.close();
    return rows.map((row) => JSON.stringify(row)).filter((row) => row !== '{"integrity_check":"ok"}');
  } finally {
    await rm(copy, { recursive: true });
  }
}

/** A temporary folder for one run. */
export async function inFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'kb-gateway-crash-'));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}
