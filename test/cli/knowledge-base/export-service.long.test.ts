import { once } from 'node:events';
import { appendFile, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { STORE_ACCOUNT } from '../../../src/store/knowledge-base/format.ts';
import {
  type FaultyService,
  forwardedTo,
  hang,
  json,
  openFaultyService,
  status,
} from '../../support/faulty-service.ts';
import { type RunningGateway, runGateway, spawnGateway, startGatewayProcess } from '../../support/process.ts';

const FIXTURE = resolve('test/fixtures/knowledge-base.json');
const TOKEN = 'a token of the service';

let home: string;
let store: RunningGateway;
let service: FaultyService;
let cwd: string;

// The service is an embedded store, whose own export is what one of the service has to be.
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'kb-gateway-service-'));
  expect(await runGateway(['import', FIXTURE], { cwd: home })).toMatchObject({ code: 0 });
  store = await startGatewayProcess({ cwd: home, settings: { API_TOKEN: TOKEN.replaceAll(' ', '-') } });
});

beforeEach(async () => {
  cwd = await mkdtemp(join(home, 'export-'));
  service = await openFaultyService();
  service.onAny(forwardedTo(new URL('/', store.url).href.slice(0, -1)));
});

afterEach(() => service.close());

afterAll(async () => {
  await store.stop();
  await rm(home, { recursive: true });
});

const settingsOf = (more = {}) => ({
  UPSTREAM_URL: service.url,
  UPSTREAM_API_TOKEN: TOKEN.replaceAll(' ', '-'),
  ...more,
});

const run = (args: readonly string[], settings: Readonly<Record<string, string>> = settingsOf()) =>
  runGateway(args, { cwd, settings });

const exportAll = (...more: readonly string[]) => run(['export', 'kb.json', '--from-service', ...more]);

interface Version {
  readonly description?: unknown;
  readonly created_at?: unknown;
  readonly created_by?: unknown;
  readonly authors?: unknown;
}

interface StoredVersion extends Version {
  readonly lang_code: string;
  readonly version_number: number;
  readonly status?: number;
}

interface Exported {
  readonly articles: readonly { readonly id: string; readonly versions: readonly Version[] }[];
  readonly reader_groups: readonly unknown[];
}

const readJson = async (path: string): Promise<Exported> => JSON.parse(await readFile(path, 'utf8'));

/** The export of the store, with the latest version of each text alone, and whether it is published. */
async function storedLatest(): Promise<Exported> {
  await rm(join(home, 'own.json'), { force: true });
  await runGateway(['export', 'own.json'], { cwd: home });
  const own = JSON.parse(await readFile(join(home, 'own.json'), 'utf8'));
  const latestOf = (versions: readonly StoredVersion[]) =>
    versions.filter(({ lang_code, version_number }) =>
      versions.every((one) => one.lang_code !== lang_code || one.version_number <= version_number),
    );
  return {
    ...own,
    articles: own.articles.map((article: { versions: readonly StoredVersion[] }) => {
      const versions = latestOf(article.versions);
      // An earlier version that is public is not in the file.
      const published = versions.filter(({ status }) => status === 3);
      return {
        ...{ url: null, ...article },
        public_version: Object.fromEntries(published.map((one) => [one.lang_code, one.version_number])),
        versions: versions.map((one) => ({ ...{ status: 0, description: null, authors: [] }, ...one })),
      };
    }),
    team_accounts: [STORE_ACCOUNT, ...own.team_accounts],
    source: service.url,
  };
}

/** What lists tell of a version. */
const listed = ({ description, created_at, created_by, authors, ...version }: Version) => ({
  ...version,
  content: null,
});

const paths = () => service.received.map(({ url }) => url.split('?', 1)[0]);

describe('export --from-service', () => {
  it('writes what the lists tell, which import reads, and says that there are no texts', async () => {
    const exported = await exportAll();
    expect(exported).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('The articles have no texts: --texts reads them'),
    });
    expect(exported.stdout).toContain('An import of this file makes articles without texts.');
    expect((await stat(join(cwd, 'kb.json'))).mode & 0o777).toBe(0o600);
    expect(await readdir(cwd)).toEqual(['kb.json']);
    expect(paths().some((path) => path?.startsWith('/v2/Articles/'))).toBe(false);
    const { articles, ...rest } = await storedLatest();
    expect(await readJson(join(cwd, 'kb.json'))).toEqual({
      ...rest,
      articles: articles.map((one) => ({ ...one, versions: one.versions.map(listed) })),
    });
    expect(await run(['import', 'kb.json'], {})).toMatchObject({ code: 0, stderr: '' });
  });

  it('reads each text by one call with --texts, waits where the service asks for it, and goes on after a crash', async () => {
    const texts = (await storedLatest()).articles.flatMap(({ versions }) => versions);
    service.on('GET /v2/Articles/a3/en', status(429, '', { 'retry-after': '1' }), hang());
    const child = spawnGateway(['export', 'kb.json', '--from-service', '--texts'], { cwd, settings: settingsOf() });
    const held = () => expect(service.receivedOn('GET /v2/Articles/a3/en')).toHaveLength(2);
    await vi.waitFor(held, { timeout: 120_000 });
    child.kill('SIGKILL');
    await once(child, 'close');
    expect((await readdir(cwd)).filter((name) => !name.startsWith('.'))).toEqual(['kb.json.part']);
    const part = join(cwd, 'kb.json.part');
    expect((await stat(part)).mode & 0o777).toBe(0o600);
    expect(await readFile(part, 'utf8')).not.toContain('a-token-of');
    await appendFile(part, '["[\\"a3');
    const before = paths();
    service.forget('GET /v2/Articles/a3/en');
    const resumed = await exportAll('--texts');
    expect(resumed).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('This goes on from what kb.json.part has. '),
    });
    expect(resumed.stderr).toMatch(/reading texts .* of \d+ \| ends about \d\d:\d\d:\d\d/u);
    expect(paths()[0]).toBe('/v2/Articles/a3/en');
    expect(new Set(paths()).intersection(new Set(before))).toEqual(new Set(['/v2/Articles/a3/en']));
    expect([...before, ...paths()].filter((path) => path?.startsWith('/v2/Articles/')).length).toBe(texts.length + 2);
    expect(await readJson(join(cwd, 'kb.json'))).toEqual(await storedLatest());
    expect((await readdir(cwd)).filter((name) => !name.startsWith('.'))).toEqual(['kb.json']);
  });

  it('stops where the service fails, says how it goes on, and takes what was read for no other token', async () => {
    service.on('GET /v2/Readers/groups', status(500));
    const failed = await exportAll();
    expect(failed).toMatchObject({ code: 1, stdout: '' });
    expect(failed.stderr).toMatch(
      /^kb-gateway: nothing was exported: .+ What was read is in kb\.json\.part: the same command goes on from there\.\n$/mu,
    );
    expect(service.receivedOn('GET /v2/Readers/groups').length).toBe(3);
    const other = await run(['export', 'kb.json', '--from-service', '--token', 'another-token']);
    expect(other).toEqual({
      code: 1,
      stdout: '',
      stderr:
        'kb-gateway: nothing was exported to kb.json: kb.json.part is of no export with this service and this token. Remove it to begin anew.\n',
    });
    await writeFile(
      join(cwd, 'kb.json.part'),
      `${(await readFile(join(cwd, 'kb.json.part'), 'utf8')).split('\n')[0]}\n[1\n`,
    );
    expect((await exportAll()).stderr).toContain('kb.json.part is damaged. Remove it to begin anew.');
  });

  it('leaves out what an import would refuse, and tells it', async () => {
    const group = (reader_group_id: string, title: string, associated_readers: readonly string[]) => ({
      ...{ reader_group_id, title, associated_readers, associated_invited_sso_users: [] },
      access_scope: { access_level: 3, categories: [], project_versions: [], languages: [] },
    });
    service.on(
      'GET /v2/Readers/groups',
      json(200, { success: true, result: [group('g1', 'Staff', ['gone']), group('g2', 'Why?', [])] }),
    );
    const { code, stderr } = await exportAll();
    expect(code).toBe(0);
    expect(stderr).toMatch(
      /^reader_groups\[0\]\.associated_readers\[0\]: there is no reader gone \(ID "g1", value "gone"\)$/mu,
    );
    expect(stderr).toMatch(/^reader_groups\[1\]\.title: .* \(ID "g2", value "Why\?"\)$/mu);
    expect((await readJson(join(cwd, 'kb.json'))).reader_groups).toEqual([
      { ...group('g1', 'Staff', []), description: null },
    ]);
  });

  it('leaves no file where the service does not accept the token', async () => {
    const { code, stderr } = await run(['export', 'kb.json', '--from-service', '--token', 'another-token']);
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringMatching(/^kb-gateway: nothing was exported: .*token.*\n$/u),
    });
    expect(await readdir(cwd)).toEqual([]);
  });

  it('never sends the token of a gateway where it has one of the service', async () => {
    await run(['export', 'kb.json', '--from-service'], settingsOf({ KB_API_TOKEN: 'of-the-gateway' }));
    expect(new Set(service.received.map(({ headers }) => headers['api_token']))).toEqual(
      new Set(['a-token-of-the-service']),
    );
  });

  it.each([
    { what: 'no UPSTREAM_URL', args: ['--from-service'], settings: {}, problem: 'which is not set.' },
    {
      what: 'no token',
      args: ['--from-service'],
      settings: { UPSTREAM_URL: 'http://127.0.0.1:1' },
      problem: 'set UPSTREAM_API_TOKEN or',
    },
    { what: '--texts for the store', args: ['--texts'], settings: {}, problem: 'are for --from-service.' },
  ])('is not made with $what', async ({ args, settings, problem }) => {
    const { code, stderr } = await run(['export', 'kb.json', ...args], settings);
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining(problem) });
    expect(await readdir(cwd)).toEqual([]);
  });
});

describe('export --csv --from-service', () => {
  it('writes the rows that the store itself exports', async () => {
    await mkdir(join(cwd, 'own'));
    await runGateway(['export', join(cwd, 'own/all.csv'), '--csv'], { cwd: home });
    expect(await run(['export', 'all.csv', '--csv', '--from-service'])).toMatchObject({ code: 0 });
    expect(await readFile(join(cwd, 'all.csv'), 'utf8')).toBe(await readFile(join(cwd, 'own/all.csv'), 'utf8'));
    expect(paths().some((path) => /Readers|Articles\//u.test(path ?? ''))).toBe(false);
  });

  it('reads texts only where it is asked to', async () => {
    const csv = ['export', 'all.csv', '--csv', '--from-service', '--columns', 'content'];
    const { code, stderr } = await run(csv);
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('content needs --texts') });
    expect(await run([...csv, '--texts'])).toMatchObject({ code: 0 });
    expect(await readFile(join(cwd, 'all.csv'), 'utf8')).toMatch(/^a2,en,"Text of a2/mu);
  });
});
