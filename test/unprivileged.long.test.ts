import { chmod, chown, mkdtemp, readdir, readFile, rm, stat, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { openFaultyService } from './support/faulty-service.ts';
import { type InstalledPackage, installPackage } from './support/installed-package.ts';
import { type RunningGateway, startGatewayProcess } from './support/process.ts';
import { serveWritable } from './support/writable-service.ts';

/** The user nobody. Who is not root already has no rights to what has the mode 0555. */
const user = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : undefined;

let installed: InstalledPackage;
/** The folder of the image with the program, which its user can't write to; its `data` is a link, as in the Dockerfile. */
let home: string;

beforeAll(async () => {
  installed = await installPackage();
  ({ home } = installed);
  await chmod(installed.folder, 0o755);
});

afterAll(async () => {
  await chmod(home, 0o755);
  await installed.remove();
});

/** A folder for what is kept, as a volume is mounted: of the user who runs the gateway, or not yet. */
async function mountVolume({ isWritable = true } = {}): Promise<string> {
  const volume = await mkdtemp(join(tmpdir(), 'kb-gateway-volume-'));
  if (user) await chown(volume, user.uid, user.gid);
  await chmod(volume, isWritable ? 0o700 : 0o555);
  onTestFinished(() => rm(volume, { recursive: true }));
  return volume;
}

/** Links `data` to the volume, as the image does; null: there is no such folder, and none can be made. */
async function layOut(volume: string | null): Promise<void> {
  await chmod(home, 0o755);
  if (volume !== null) await symlink(volume, join(home, 'data'));
  await chmod(home, 0o555);
  onTestFinished(async () => {
    await chmod(home, 0o755);
    await rm(join(home, 'data'), { force: true });
  });
}

async function openService() {
  const service = await openFaultyService();
  onTestFinished(() => service.close());
  return { url: service.url, writable: serveWritable(service, ['a1']) };
}

async function start(settings: Readonly<Record<string, string>>) {
  const gateway = await startGatewayProcess({ cwd: home, main: join(home, 'dist/main.js'), user, settings });
  onTestFinished(() => void gateway.stop('SIGKILL'));
  return { gateway, ready: async () => (await fetch(new URL('/health/ready', gateway.url))).status };
}

async function send({ url }: RunningGateway, query: string) {
  const headers = { 'content-type': 'application/json', api_token: 'token' };
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify({ query }) });
  const { data, errors } = Object(await response.json());
  expect(errors).toBeUndefined();
  return data;
}

const ARTICLES = 'input: { articles: [{ articleId: "a1", title: "New" }] }';
const ERROR = '... on MutationError { code retryable mayHaveApplied message }';
const KEYED = `mutation { bulkUpdateArticles(${ARTICLES}, idempotencyKey: "k") { __typename ${ERROR} } }`;
const SUBMIT = `mutation {
  submitArticleUpdateJob(${ARTICLES}, idempotencyKey: "k") {
    __typename ${ERROR} ... on SubmitArticleUpdateJobPayload { job { id } }
  }
}`;
const READ = '{ projectVersions { name } }';
const JOBS = '{ articleUpdateJobs { nodes { state summary { updated unknown pending } } } }';

const REJECTED = {
  __typename: 'ServiceRejectedError',
  code: 'REJECTED',
  retryable: false,
  mayHaveApplied: false,
  message: expect.stringContaining('no place to keep the state of jobs and idempotency keys (STATE_URL)'),
};
const UNAVAILABLE = { __typename: 'ServiceUnavailableError', code: 'UNAVAILABLE', retryable: true };
const NO_PLACE = '"there is no place to keep jobs and idempotency keys"';

describe('the packed build, run by a user without rights to its folder', () => {
  it('warns without a place for the default state, is ready, answers reads, and rejects jobs and keys', async () => {
    await layOut(null);
    const { url, writable } = await openService();
    const before = await readdir(home);
    const { gateway, ready } = await start({ UPSTREAM_URL: url });
    await expect.poll(gateway.log).toContain(NO_PLACE);
    expect(await ready()).toBe(200);
    expect(await send(gateway, KEYED)).toEqual({ bulkUpdateArticles: REJECTED });
    expect(await send(gateway, SUBMIT)).toEqual({ submitArticleUpdateJob: REJECTED });
    expect(await send(gateway, READ)).toEqual({ projectVersions: [{ name: 'version' }] });
    expect(writable.calls).toEqual([]);
    expect(await ready()).toBe(200);
    expect((await gateway.stop()).code).toBe(0);
    expect(await readdir(home)).toEqual(before);
  });

  it('runs jobs and keeps keys on the volume of the image, also over a restart', async () => {
    const image = (await readFile('Dockerfile', 'utf8')).split('\nFROM ').at(-1);
    const [, variables = ''] = /^ENV (.+)$/mu.exec(image ?? '') ?? [];
    const volume = await mountVolume();
    const ofImage = variables.split(' ').map((variable) => variable.replace('/data', volume).split('='));
    await layOut(volume);
    const { url, writable } = await openService();
    const settings = { ...Object.fromEntries(ofImage), PORT: '0', HOST: '127.0.0.1', UPSTREAM_URL: url };
    const first = await start(settings);
    expect(await send(first.gateway, SUBMIT)).toMatchObject({ submitArticleUpdateJob: { job: {} } });
    expect(await send(first.gateway, KEYED)).toEqual({
      bulkUpdateArticles: { __typename: 'BulkUpdateArticlesPayload' },
    });
    const completed = { state: 'COMPLETED', summary: { updated: 1, unknown: 0, pending: 0 } };
    await expect.poll(() => send(first.gateway, JOBS)).toEqual({ articleUpdateJobs: { nodes: [completed] } });
    const { code, log } = await first.gateway.stop();
    expect({ code, log }).toEqual({ code: 0, log: expect.not.stringContaining('"warn"') });
    expect((await stat(join(volume, 'state.db'))).mode & 0o777).toBe(0o600);
    const second = await start(settings);
    expect(await send(second.gateway, JOBS)).toEqual({ articleUpdateJobs: { nodes: [completed] } });
    expect(await second.ready()).toBe(200);
    expect(writable.calls).toHaveLength(2);
  });

  it('serves the store of the image from the volume, with its token', async () => {
    const volume = await mountVolume();
    await layOut(volume);
    const { ready } = await start({});
    expect(await ready()).toBe(200);
    expect((await readdir(volume)).sort()).toEqual(expect.arrayContaining(['demo.db', 'kb.db.api-token']));
  });

  it('runs, not ready, while the state of STATE_URL cannot be written, and goes on once it can', async () => {
    await layOut(null);
    const volume = await mountVolume({ isWritable: false });
    const { url } = await openService();
    const { gateway, ready } = await start({ UPSTREAM_URL: url, STATE_URL: `sqlite:${volume}/state.db` });
    expect(await ready()).toBe(503);
    expect(await send(gateway, SUBMIT)).toMatchObject({ submitArticleUpdateJob: UNAVAILABLE });
    expect(await send(gateway, READ)).toEqual({ projectVersions: [{ name: 'version' }] });
    await chmod(volume, 0o700);
    await expect.poll(ready).toBe(200);
    expect(await send(gateway, SUBMIT)).toMatchObject({ submitArticleUpdateJob: { job: {} } });
  });

  it.each([
    ['is not ready while a default state with an unfinished job', { status: 503, answer: UNAVAILABLE }],
    ['is ready while a default state in which every job has ended', { status: 200, answer: REJECTED }],
  ])('%s cannot be written', async (_, { status, answer }) => {
    const hasEnded = status === 200;
    const volume = await mountVolume();
    await layOut(volume);
    const { url, writable } = await openService();
    const first = await start({ UPSTREAM_URL: url });
    // A service that fails for now.
    if (!hasEnded) for (let n = 0; n < 3; n += 1) writable.onNextWrites(() => (response) => void response.destroy());
    await send(first.gateway, SUBMIT);
    const unfinished = hasEnded ? 'COMPLETED' : 'RUNNING';
    await expect.poll(async () => (await send(first.gateway, JOBS)).articleUpdateJobs.nodes[0].state).toBe(unfinished);
    await first.gateway.stop(hasEnded ? 'SIGTERM' : 'SIGKILL');
    for (const file of await readdir(volume)) await chmod(join(volume, file), 0o444);
    await chmod(volume, 0o555);
    const second = await start({ UPSTREAM_URL: url });
    await expect.poll(second.gateway.log).toContain(NO_PLACE);
    await expect.poll(second.gateway.log).toContain('"the state of jobs is unavailable"');
    expect(await second.ready()).toBe(status);
    expect(await send(second.gateway, KEYED)).toMatchObject({ bulkUpdateArticles: answer });
  });
});
