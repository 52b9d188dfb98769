import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type FaultyService, forwardedTo, openFaultyService } from '../../support/faulty-service.ts';
import { type RunningGateway, runGateway, startGatewayProcess } from '../../support/process.ts';

const KNOWLEDGE_BASE = {
  project_versions: [{ id: 'v1', name: 'v1', is_default: true }],
  languages: ['en', 'fr'].map((code) => ({ code, name: code, is_default: code === 'en', project_version_id: 'v1' })),
};

const PAGES = 240;

let root: string;
let store: RunningGateway;
let gateway: RunningGateway;
let service: FaultyService;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'kb-gateway-calls-'));
  await Promise.all(['store', 'rest'].map((name) => mkdir(join(root, name))));
  await writeFile(join(root, 'kb.json'), JSON.stringify(KNOWLEDGE_BASE));
  expect(await runGateway(['import', '../kb.json'], { cwd: join(root, 'store') })).toMatchObject({ code: 0 });
  store = await startGatewayProcess({ cwd: join(root, 'store') });
  service = await openFaultyService();
  service.onAny(forwardedTo(new URL(store.url).origin));
  gateway = await startRestGateway();
});

afterAll(async () => {
  await gateway.stop();
  await service.close();
  await store.stop();
  await rm(root, { recursive: true });
});

const startRestGateway = () =>
  startGatewayProcess({
    cwd: join(root, 'rest'),
    settings: { UPSTREAM_URL: service.url, MAX_UPSTREAM_CALLS: '200' },
  });

async function writePages(language: string, count: number): Promise<void> {
  for (let index = 0; index < count; index += 1) {
    const path = join(root, 'docs', language, `part-${index % 3}`, `page-${index}.md`);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, `# ${language} ${index}\n\nText.\n`);
  }
}

/** Removes the files of the pages from this number up to another. */
async function removePages(from: number, to: number): Promise<void> {
  const files = await readdir(join(root, 'docs'), { recursive: true });
  for (const file of files) {
    const index = Number(/page-(\d+)\.md$/u.exec(file)?.[1] ?? -1);
    if (index >= from && index < to) await rm(join(root, 'docs', file));
  }
}

const run = (...args: readonly string[]) =>
  runGateway(args, { cwd: root, settings: { KB_API_TOKEN: store.token, KB_GATEWAY_URL: gateway.url } });

/** Plans and applies, and counts the calls that the service gets for that. */
async function planAndApply(name: string, ...options: readonly string[]) {
  const planned = await run('plan', 'docs', '--user', 'embedded-store', '--json', '--out', name, ...options);
  expect(planned).toMatchObject({ code: 0, stderr: '' });
  const { cost }: { cost: { calls: number } } = JSON.parse(planned.stdout);
  // Another gateway, since the reads of the plan are not counted for those of apply.
  await gateway.stop();
  gateway = await startRestGateway();
  const before = service.received.length;
  const applied = await run('apply', name);
  expect(applied).toMatchObject({ code: 0, stderr: '' });
  const calls = service.received.length - before;
  return { planned: cost.calls, calls, stdout: applied.stdout };
}

const isRight = (planned: number, calls: number): boolean => Math.abs(planned / calls - 1) < 0.2;

describe('the calls that a plan names', () => {
  it('are those of its creations and publications', async () => {
    await writePages('en', PAGES);
    await writePages('fr', 150);
    const { planned, calls } = await planAndApply('create.plan', '--publish');
    expect({ planned, calls, isRight: isRight(planned, calls) }).toMatchObject({ isRight: true });
  });

  it('are none where nothing is to be done', async () => {
    const { stdout } = await run('plan', 'docs', '--user', 'embedded-store', '--publish');
    expect(stdout).toContain('Over a service, apply takes about 0 calls');
  });

  it.each([
    ['hide', 'unchanged            330\nhidden                60\n', [180, 240]],
    ['unpublish', 'unchanged             60\nunpublished          330\n', [30, 180]],
  ] as const)('are those of articles that it would only %s', async (gone, expected, [from, to]) => {
    await removePages(from, to);
    const { planned, calls, stdout } = await planAndApply(`${gone}.plan`, '--gone', gone);
    expect(stdout).toBe(expected);
    expect({ planned, calls, isRight: isRight(planned, calls) }).toMatchObject({ isRight: true });
  });
});
