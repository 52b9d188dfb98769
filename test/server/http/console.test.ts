import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readConsoleFiles } from '../../../src/server/console-files.ts';
import { openFixtureStore, TOKEN } from '../../support/fixture-store.ts';
import { type Gateway, startGateway } from '../../support/gateway.ts';
import { sendRaw } from '../../support/raw-http.ts';

/** What the contract says of the policy. */
const POLICY = new Map([
  ['default-src', "'none'"],
  ['script-src', "'self'"],
  ['style-src', "'self'"],
  ['img-src', "'self'"],
  ['font-src', "'self'"],
  ['connect-src', "'self'"],
  ['object-src', "'none'"],
  ['base-uri', "'none'"],
  ['form-action', "'none'"],
  ['frame-ancestors', "'none'"],
]);

let gateway: Gateway;
beforeAll(async () => {
  const backend = await openFixtureStore();
  gateway = await startGateway({ backend, local: true, token: TOKEN, readConsole: readConsoleFiles });
});
afterAll(() => gateway.close());

/** fetch decodes, and has headers of its own. */
const get = async (path: string, headers: Record<string, string> = {}, method = 'GET') => {
  const response = await fetch(`${gateway.url}${path}`, {
    method,
    headers: { 'accept-encoding': 'identity', ...headers },
  });
  return { status: response.status, headers: response.headers, body: await response.text() };
};

const filesOf = async () =>
  [...(await get('/console')).body.matchAll(/(?:src|href)="(console\/[^"]+)"/gu)].map(([, path]) => path);

describe('/console', () => {
  it('is a page without inline code or style that names its own files alone', async () => {
    const { status, headers, body } = await get('/console');
    expect(status).toBe(200);
    const directives = headers
      .get('content-security-policy')
      ?.split('; ')
      .map((directive) => directive.split(' '));
    expect(new Map(directives?.map(([name = '', ...values]) => [name, values.join(' ')]))).toEqual(POLICY);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('cache-control')).toBe('no-cache');
    expect(body).not.toMatch(/<style|style=|\son\w+=|https?:/u);
    expect([...body.matchAll(/<script[^>]*>([^<]*)<\/script>/gu)].map(([, text]) => text)).toEqual(['']);
    expect(await filesOf()).toHaveLength(3);
  });

  it('holds no token, whoever asks', async () => {
    const texts = await Promise.all(
      ['console', ...(await filesOf())].map((path) => get(`/${path}`, { api_token: TOKEN })),
    );
    expect(texts.filter(({ body }) => body.includes(TOKEN) && body.includes('kbg_'))).toEqual([]);
  });

  it('has files that caches keep for a year, and a HEAD without a body', async () => {
    for (const path of await filesOf()) {
      const { status, headers } = await get(`/${path}`);
      expect([status, headers.get('cache-control')]).toEqual([200, 'public, max-age=31536000, immutable']);
      const head = await get(`/${path}`, {}, 'HEAD');
      expect([head.status, head.body]).toEqual([200, '']);
      expect(head.headers.get('content-length')).toBe(headers.get('content-length'));
    }
  });

  it.each([
    ['br, gzip', 'br'],
    ['gzip', 'gzip'],
    ['gzip;q=0, br;q=0.5', 'br'],
    ['br;q=0, gzip', 'gzip'],
    ['br;q=0', null],
    ['', null],
    ['xbr', null],
  ])('answers Accept-Encoding: %s with %s', async (accepted, encoding) => {
    const plain = (await get('/console')).body;
    const answer = await sendRaw(
      gateway.url,
      `GET /console HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAccept-Encoding: ${accepted}\r\n\r\n`,
    );
    expect(answer.headers.get('content-encoding') ?? null).toBe(encoding);
    expect(answer.headers.get('vary')).toBe('accept-encoding');
    if (encoding === null) expect(answer.body).toBe(plain);
  });

  it('has the same bytes compressed', async () => {
    for (const [, { bytes }] of await readConsoleFiles()) {
      expect(brotliDecompressSync(bytes.br).equals(bytes.identity)).toBe(true);
      expect(gunzipSync(bytes.gzip).equals(bytes.identity)).toBe(true);
    }
  });

  it('answers 304 to whom has it, in that encoding', async () => {
    for (const path of ['/console', `/${(await filesOf())[0]}`]) {
      const etag = (await get(path)).headers.get('etag') ?? '';
      const again = await get(path, { 'if-none-match': etag });
      expect([again.status, again.body]).toEqual([304, '']);
      expect((await get(path, { 'if-none-match': etag, 'accept-encoding': 'gzip' })).status).toBe(200);
    }
  });

  it('leads from the path with a slash to the one without', async () => {
    const response = await fetch(`${gateway.url}/console/`, { redirect: 'manual' });
    expect([response.status, response.headers.get('location')]).toEqual([308, '../console']);
  });

  it.each([
    '/console/package.json',
    '/console/LICENCES.txt',
    '/console/main.tsx',
    '/console/signed-in',
    '/console/constructor',
    '/console/%2e%2e%2fpackage.json',
    '/console/..%2f..%2fpackage.json',
    '/console/a/b',
    '/consoles',
    '/Console',
  ])('has no %s', async (path) => {
    expect((await get(path)).status).not.toBe(200);
  });

  it('takes no POST', async () => {
    expect((await get('/console', {}, 'POST')).status).toBe(404);
  });
});

describe('a first view', () => {
  it('is at most 300 kB compressed', async () => {
    const files = await readConsoleFiles();
    const loaded = new Set<string>();
    /** Adds a file, and what it loads at once: the parts that are imported later are `import()`. */
    const load = (name: string) => {
      const file = files.get(name);
      if (file === undefined || loaded.has(name)) return;
      loaded.add(name);
      const text = gunzipSync(file.bytes.gzip).toString();
      for (const [, other = ''] of text.matchAll(/(?:(?:src|href)="console\/|(?:from|import)"\.\/)([^"]+)"/gu))
        load(other);
    };
    load('index.html');
    expect(loaded.size).toBeGreaterThan(3);
    const total = [...loaded].reduce((sum, name) => sum + (files.get(name)?.bytes.gzip.length ?? 0), 0);
    expect(total).toBeLessThan(300_000);
  });
});
