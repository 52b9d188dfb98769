import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type FaultyService, forwardedTo, openFaultyService } from '../../support/faulty-service.ts';
import { type Limited, limitedTo } from '../../support/limited-service.ts';
import { type RunningGateway, runGateway, startGatewayProcess } from '../../support/process.ts';

/** A minute of the service, in which it permits 60 calls, passes in these milliseconds. */
const MINUTE_MS = 6_000;

const KNOWLEDGE_BASE = {
  project_versions: [{ id: 'v1', name: 'v1', is_default: true }],
  languages: ['en', 'fr'].map((code) => ({ code, name: code, is_default: code === 'en', project_version_id: 'v1' })),
};

let root: string;
let store: RunningGateway;
let gateway: RunningGateway;
let service: FaultyService;
let limited: Limited;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'kb-gateway-minutes-'));
  await Promise.all(['store', 'rest'].map((name) => mkdir(join(root, name))));
  await writeFile(join(root, 'kb.json'), JSON.stringify(KNOWLEDGE_BASE));
  expect(await runGateway(['import', '../kb.json'], { cwd: join(root, 'store') })).toMatchObject({ code: 0 });
  store = await startGatewayProcess({ cwd: join(root, 'store') });
  service = await openFaultyService();
  limited = limitedTo({ calls: 60, windowMs: MINUTE_MS }, forwardedTo(new URL(store.url).origin));
  service.onAny(limited.behaviour);
  gateway = await startGatewayProcess({ cwd: join(root, 'rest'), settings: { UPSTREAM_URL: service.url } });
});

afterAll(async () => {
  await gateway.stop();
  await service.close();
  await store.stop();
  await rm(root, { recursive: true });
});

/** Writes a page for each number in a language, in three folders. */
async function writePages(language: string, count: number, text: string): Promise<void> {
  for (let index = 0; index < count; index += 1) {
    const path = join(root, 'docs', language, `guides/part-${index % 3}`, `page-${index}.md`);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, `# ${language} ${index}\n\n${text}\n`);
  }
}

const run = (...args: readonly string[]) =>
  runGateway(args, { cwd: root, settings: { KB_API_TOKEN: store.token, KB_GATEWAY_URL: gateway.url } });

/** Plans, applies at the beginning of a minute of the service, and compares what the plan said with what it took. */
async function planAndApply(name: string) {
  const planned = await run('plan', 'docs', '--publish', '--user', 'embedded-store', '--json', '--out', name);
  expect(planned).toMatchObject({ code: 0, stderr: '' });
  const { cost }: { cost: { calls: number; minutes: number } } = JSON.parse(planned.stdout);
  await expect.poll(() => limited.remaining(store.token), { interval: 10 }).toBe(60);
  const [before, windows] = [limited.accepted(), limited.windows.length];
  const applied = await run('apply', name);
  expect(applied).toMatchObject({ code: 0, stderr: '' });
  const calls = limited.accepted() - before;
  // The first minute begins with the first call.
  const minutes = limited.windows.length - windows - 1;
  return { cost, calls, minutes, stdout: applied.stdout };
}

describe('a plan over a service that permits 60 calls a minute', () => {
  it('names the minutes of its creations and translations, right within a fifth', async () => {
    await Promise.all(['en', 'fr'].map((language) => writePages(language, 300, 'Text.')));
    const { cost, calls, minutes, stdout } = await planAndApply('one.plan');
    expect(stdout).toBe('created              300\ntranslated           300\npublished            600\n');
    expect(cost.minutes).toBe(5);
    expect({ calls, isRight: Math.abs(cost.calls / calls - 1) < 0.2 }).toEqual({ calls, isRight: true });
    expect({ minutes, isRight: Math.abs(cost.minutes / minutes - 1) < 0.2 }).toEqual({ minutes, isRight: true });
  });

  it('reads the texts of a large folder in requests that the gateway permits, and knows what changes cost', async () => {
    await writePages('en', 300, 'Another text.');
    const { cost, calls, minutes, stdout } = await planAndApply('two.plan');
    expect(stdout).toBe('unchanged            300\nchanged              300\npublished            300\n');
    expect({ calls, isRight: Math.abs(cost.calls / calls - 1) < 0.2 }).toEqual({ calls, isRight: true });
    expect([cost.minutes, minutes]).toEqual([0, 0]);
  });
});
