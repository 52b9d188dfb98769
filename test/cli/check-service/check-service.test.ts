import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ASSUMPTIONS, type Findings } from '../../../src/cli/check-service/assumptions.ts';
import { checkReads } from '../../../src/cli/check-service/read-part.ts';
import { ServiceCalls } from '../../../src/cli/check-service/service-calls.ts';
import { checkWrites } from '../../../src/cli/check-service/write-part.ts';
import { welcomeMessage } from '../../../src/cli/welcome.ts';
import { readConfig } from '../../../src/server/config.ts';
import { type Behaviour, json, openFaultyService, type Received } from '../../support/faulty-service.ts';
import { openFixtureStore, TOKEN } from '../../support/fixture-store.ts';
import { startGateway } from '../../support/gateway.ts';
import { runGateway } from '../../support/process.ts';
import { needsApiFile } from '../../support/stand-in-service/api-file.ts';
import { READINGS, type Readings, singleReadings } from '../../support/stand-in-service/readings.ts';
import { STAND_IN_TOKEN, StandInService } from '../../support/stand-in-service/stand-in-service.ts';

const callsTo = (baseUrl: string, token: string) =>
  new ServiceCalls({ baseUrl, setting: 'UPSTREAM_URL', proxyUrl: null, timeoutMs: 10_000 }, token);

async function check(url: string, token: string, named: { categoryId: string; userId: string }) {
  const calls = callsTo(url, token);
  onTestFinished(() => calls.close());
  const reads = await checkReads(calls);
  const readCalls = calls.reported.length;
  const writes = await checkWrites(calls, { ...named, pauseMs: 0 });
  if (!reads.ok || !writes.ok) throw new Error(JSON.stringify([reads, writes]));
  return { ...writes.value, findings: { ...reads.value, ...writes.value.findings }, readCalls };
}

async function openStandIn(readings: Partial<Readings> = {}) {
  const service = await StandInService.open({ readings });
  onTestFinished(() => service.close());
  return service;
}

const BULK = '/v2/Articles/bulkupdate';

const updated = json(200, { success: true, data: [{ article_id: 'new-1', success: true }] });

/** Answers some calls itself, and forwards the others to a service. */
async function openFront(service: StandInService, answerOf: (request: Received) => Behaviour | null) {
  const front = await openFaultyService();
  onTestFinished(() => front.close());
  front.onAny(async (response, request) => {
    const own = answerOf(request);
    if (own !== null) return own(response, request);
    const { method, url, body } = request;
    const headers = { api_token: STAND_IN_TOKEN, 'content-type': 'application/json' };
    const sent = method === 'GET' ? null : JSON.stringify(body);
    const answer = await fetch(`${service.url}${url}`, { method, headers, body: sent });
    const date = answer.headers.get('date') ?? '';
    response.writeHead(answer.status, { 'content-type': 'application/json', 'x-ratelimit-remaining': '9', date });
    response.end(await answer.text());
  });
  return front;
}

const GUIDES = { categoryId: 'guides', userId: 'user-1' };

/** What is seen of each reading that is not plain. */
const OTHERWISE: { readonly [Name in keyof Readings]: Partial<Record<Readings[Name], Findings>> } = {
  published: { refuses: { publishedUpdate: 'refused' }, 'makes a version': { publishedUpdate: 'version' } },
  omitted: { reset: { hidden: 'reset', order: 'reset' } },
  listLanguages: { default: { listLanguages: 'default' }, null: { listLanguages: 'null' } },
  untranslated: { 'stand-ins': { standIns: 'listed' } },
  newLanguage: { 'makes a translation': { newLanguage: 'created' } },
  lag: { '3 seconds': { lag: 'later' } },
  texts: { trimmed: { texts: 'trimmed' }, 'HTML rewritten': { texts: 'rewritten' } },
  readers: { 'bare object': { readers: 'object' } },
  failingItem: {
    '200 without success': { failingItem: 'unsuccessful' },
    '400 without items': { failingItem: 'refused' },
  },
  published200: { 'one object': { publishAnswer: 'object' } },
  ids: { 'in upper case': { ids: 'changed' } },
};

const EXPECTED: Findings = Object.fromEntries(Object.keys(ASSUMPTIONS).map((name) => [name, 'expected']));

describe('check-service', needsApiFile, () => {
  it('has what is seen of every reading', () => {
    for (const [question, [, ...others]] of Object.entries(READINGS))
      expect(Object.keys(Object(OTHERWISE)[question])).toEqual(others);
  });

  it.each(singleReadings())('finds $name, and leaves its draft unpublished and hidden', async ({ readings }) => {
    const service = await openStandIn(readings);
    const { findings, readCalls, articleId, isPutAway } = await check(service.url, STAND_IN_TOKEN, GUIDES);
    const otherwise = Object.entries(readings).map(([question, reading]) => Object(OTHERWISE)[question][reading]);
    expect(findings).toEqual(Object.assign({}, EXPECTED, ...otherwise));
    expect(readCalls).toBeLessThanOrEqual(15);
    expect(isPutAway).toBe(true);
    const { hidden, texts } = service.article(articleId);
    expect({ hidden, public: texts.get('en')?.publicVersion }).toEqual({ hidden: true, public: 0 });
    expect(service.invalid).toEqual([]);
  });

  it('goes no further where the draft does not stay hidden', async () => {
    const service = await openStandIn();
    service.http.on('PUT /v2/Articles/bulkupdate', (response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ success: true, data: [{ article_id: 'new-1', success: true }] }));
    });
    const { findings, isPutAway } = await check(service.url, STAND_IN_TOKEN, GUIDES);
    expect(findings).toMatchObject({ lag: 'never' });
    expect(Object.keys(findings)).not.toContain('publish');
    expect(isPutAway).toBe(false);
    expect(service.http.received.filter(({ method }) => method === 'POST')).toHaveLength(1);
  });

  it('publishes nothing where the draft does not stay hidden after an update without hidden', async () => {
    const service = await openStandIn({ omitted: 'reset' });
    let updates = 0;
    const front = await openFront(service, ({ url }) => {
      updates += url === BULK ? 1 : 0;
      // After the update that shows the draft, none has an effect any more.
      return url === BULK && updates > 2 ? updated : null;
    });
    const { findings, isPutAway } = await check(front.url, STAND_IN_TOKEN, GUIDES);
    expect(findings).toMatchObject({ hidden: 'reset' });
    expect(isPutAway).toBe(false);
    const urls = front.received.filter(({ method }) => method === 'POST').map(({ url }) => url);
    expect(urls).toEqual(['/v2/Articles']);
  });

  it('reads one project version and one language that are no lists', async () => {
    const service = await openStandIn();
    const whole = { success: true, errors: [], warnings: [], information: [] };
    const version = {
      id: 'main',
      is_main_version: true,
      language_versions: { code: 'en', name: 'en', set_as_default: true },
    };
    service.http.on('GET /v2/ProjectVersions', json(200, { ...whole, data: version }));
    const calls = callsTo(service.url, STAND_IN_TOKEN);
    onTestFinished(() => calls.close());
    expect(await checkReads(calls)).toMatchObject({ ok: true });
  });

  it('names the place of what it can not read', async () => {
    const service = await openStandIn();
    service.http.on(
      'GET /v2/ProjectVersions',
      json(200, { success: true, data: [{ id: 'v', language_versions: 'en' }] }),
    );
    const calls = callsTo(service.url, STAND_IN_TOKEN);
    onTestFinished(() => calls.close());
    expect(await checkReads(calls)).toEqual({ ok: false, error: expect.stringContaining('language_versions') });
  });

  it('takes no lag from a refusal that applied nothing', async () => {
    const service = await openStandIn();
    const refused = json(400, { success: false, errors: [{ description: 'Article not found' }] });
    const front = await openFront(service, ({ url, body }) =>
      url === BULK && Array.isArray(body) && body.length > 1 ? refused : null,
    );
    const { findings } = await check(front.url, STAND_IN_TOKEN, GUIDES);
    expect(findings).toMatchObject({ failingItem: 'refused', lag: 'expected' });
  });

  it('prints a line for each assumption, and writes a report without values', async () => {
    const service = await openStandIn({ omitted: 'reset', listLanguages: 'null' });
    const cwd = await mkdtemp(join(tmpdir(), 'kb-gateway-check-'));
    onTestFinished(() => rm(cwd, { recursive: true }));
    const settings = { UPSTREAM_URL: service.url, KB_API_TOKEN: `${STAND_IN_TOKEN}\n` };
    const args = ['check-service', '--write', '--category', 'guides', '--user', 'user-1', '--report', 'report.json'];
    const { code, stdout, stderr } = await runGateway(args, { cwd, settings });
    expect({ code, stderr }).toEqual({ code: 3, stderr: '' });
    expect(stdout.split('\n')).toHaveLength(Object.keys(ASSUMPTIONS).length + 3);
    expect(stdout).toContain('otherwise    hidden, left out               Such an update shows a hidden article.');
    expect(stdout).toContain('The article new-1 is unpublished and hidden. Delete it.');
    const report = await readFile(join(cwd, 'report.json'), 'utf8');
    expect(JSON.parse(report)).toMatchObject({
      findings: { hidden: 'reset', listLanguages: 'null', fork: 'expected' },
    });
    for (const value of ['guides', 'user-1', 'new-1', 'untranslated', 'check-service', 'reader@', '2026'])
      expect(report).not.toContain(value);
  });

  it.each([
    { settings: {}, args: [], message: 'UPSTREAM_URL, which is not set' },
    { settings: { UPSTREAM_URL: 'http://127.0.0.1:1' }, args: [], message: 'set UPSTREAM_API_TOKEN or KB_API_TOKEN' },
    { settings: {}, args: ['--write', '--user', 'u'], message: 'go together' },
  ])('does not run: $message', async ({ settings, args, message }) => {
    const { code, stderr } = await runGateway(['check-service', ...args], { cwd: tmpdir(), settings });
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining(message) });
  });

  it('does not run with a token that the service does not accept', async () => {
    const service = await openStandIn();
    const settings = { UPSTREAM_URL: service.url, UPSTREAM_API_TOKEN: 'wrong' };
    const { code, stderr } = await runGateway(['check-service'], { cwd: tmpdir(), settings });
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('does not accept the token') });
  });
});

describe('the welcome of a gateway', () => {
  const welcomeOf = (settings: Record<string, string>) => {
    const config = readConfig(settings);
    if (!config.ok) throw new Error(config.error);
    return welcomeMessage({
      address: { host: '127.0.0.1', port: 4000 },
      config: config.value,
      access: { kind: 'service', tokens: [], tokenFile: null, clients: null, addServiceCredential: null },
      checkCommand: 'kb-gateway check-service',
    });
  };

  it('names the check as the first step in front of a service', () => {
    const line = 'First find out how the service behaves: kb-gateway check-service\n';
    expect(welcomeOf({ UPSTREAM_URL: 'http://kb.example' })).toContain(line);
    expect(welcomeOf({})).not.toContain(line);
  });
});

describe('check-service over the façade of the store', () => {
  it('finds the store as expected', async () => {
    const gateway = await startGateway({ backend: await openFixtureStore(), local: true, token: TOKEN });
    onTestFinished(() => gateway.close());
    const { findings, isPutAway } = await check(gateway.url, TOKEN, { categoryId: 'c1', userId: 'u1' });
    expect(findings).toEqual({ ...EXPECTED, rateLimit: 'absent', newLanguage: 'created' });
    expect(isPutAway).toBe(true);
  });
});
