import { describe, expect, it } from 'vitest';
import { err } from '../../../src/core/base/result.ts';
import { proxyUrlFor, readProxies } from '../../../src/server/config/proxy.ts';
import { type Environment, environmentSource, SettingReader } from '../../../src/server/config/setting-reader.ts';
import { readConfig } from '../../../src/server/config.ts';

const PROXY = 'http://proxy.example:3128/';

const proxyOf = (target: string, environment: Environment) =>
  proxyUrlFor(target, readProxies(new SettingReader(environmentSource(environment, () => err('no files')))));

describe('the proxy for a URL', () => {
  it.each([
    ['https://kb.example', { HTTPS_PROXY: PROXY }, PROXY],
    ['https://kb.example', { https_proxy: PROXY, HTTPS_PROXY: 'http://other.example' }, PROXY],
    ['http://kb.example', { HTTP_PROXY: PROXY, HTTPS_PROXY: 'http://other.example' }, PROXY],
    ['http://kb.example', { http_proxy: 'proxy.example:3128' }, PROXY],
    ['https://kb.example', { HTTPS_PROXY: 'https://me:hush@proxy.example' }, 'https://me:hush@proxy.example/'],
    ['https://kb.example', { HTTP_PROXY: PROXY, NO_PROXY: '' }, null],
    ['https://kb.example', { HTTPS_PROXY: '' }, null],
    // As for curl and Node, this machine is no exception by itself.
    ['http://127.0.0.1:9/x', { HTTP_PROXY: PROXY }, PROXY],
    ['http://localhost', { HTTP_PROXY: PROXY }, PROXY],
  ])('of %s with %j is %j', (target, environment, proxyUrl) => {
    expect(proxyOf(target, environment)).toBe(proxyUrl);
  });

  it.each([
    ['kb.example', true],
    ['KB.example', true],
    ['.example', true],
    ['*.example', true],
    ['example', true],
    ['*', true],
    ['other.example, kb.example', true],
    ['other.example kb.example', true],
    ['kb.example:443', true],
    ['kb.example:8443', false],
    ['b.example', false],
    ['other.example', false],
    [',', false],
  ])('is none of https://kb.example with NO_PROXY=%s: %j', (NO_PROXY, isExcepted) => {
    expect(proxyOf('https://kb.example', { HTTPS_PROXY: PROXY, NO_PROXY }) === null).toBe(isExcepted);
    expect(proxyOf('https://kb.example', { HTTPS_PROXY: PROXY, NO_PROXY: '*', no_proxy: NO_PROXY }) === null).toBe(
      isExcepted,
    );
  });

  it.each([
    ['http://10.1.2.3:8080', '10.1.2.3', true],
    ['http://10.1.2.3:8080', '10.1.2.3:8080', true],
    ['http://[::1]:80', '::1', true],
    ['http://[::1]:80', '[::1]:80', true],
    ['http://[::1]:80', '[::1]:81', false],
  ])('of %s with NO_PROXY=%s is none: %j', (target, NO_PROXY, isExcepted) => {
    expect(proxyOf(target, { HTTP_PROXY: PROXY, NO_PROXY }) === null).toBe(isExcepted);
  });
});

/** Entries of `NO_PROXY`, with hosts that each excepts, and others that look like them. */
const EXCEPTIONS: readonly (readonly [entry: string, excepted: readonly string[], others: readonly string[]])[] = [
  [
    '10.0.0.0/8',
    ['10.0.0.1', '10.255.255.255', '[::ffff:10.1.2.3]', '0x0a.1'],
    ['11.0.0.1', '10.example', '[::a00:1]'],
  ],
  ['10.1.2.3/8', ['10.9.9.9'], ['11.1.2.3']],
  ['192.168.0.0/16:8080', ['192.168.3.4:8080'], ['192.168.3.4', '192.169.0.1:8080']],
  ['0.0.0.0/0', ['8.8.8.8'], ['kb.example', '[fd00::1]']],
  ['127.*', ['127.0.0.1', '127.9.9.9'], ['128.0.0.1', '127.example', '[::1]']],
  ['10.1.*', ['10.1.2.3'], ['10.2.1.1']],
  ['10.*.*.*', ['10.1.2.3'], ['11.2.1.1']],
  ['10.0.0.1-10.0.0.9', ['10.0.0.1', '10.0.0.9'], ['10.0.0.10', '10.0.0.0']],
  ['fd00::/8', ['[fd12::1]'], ['[fe80::1]', '10.0.0.1', 'fd00.example']],
  ['[fd00::/8]:8080', ['[fd12::1]:8080'], ['[fd12::1]']],
  ['::1', ['[::1]', '[0:0:0:0:0:0:0:1]'], ['[::2]', '127.0.0.1']],
  ['0:0:0:0:0:0:0:1', ['[::1]'], ['[::2]']],
  ['.svc', ['kb.svc', 'kb.team.SVC', 'svc', 'kb.svc.'], ['kb.svc.example', 'kbsvc']],
  ['.svc.cluster.local', ['kb.team.svc.cluster.local'], ['svc.cluster.local.example']],
  ['*.example:8443', ['kb.example:8443'], ['kb.example']],
  ['kb.example.', ['kb.example', 'a.kb.example'], ['xkb.example']],
  ['kb_1', ['kb_1', 'a.kb_1'], ['kb-1']],
  ['localhost', ['localhost'], ['127.0.0.1', 'localhost.example']],
  ['*', ['kb.example', '10.0.0.1', '[::1]'], []],
];

describe.each(EXCEPTIONS)('NO_PROXY=%s', (NO_PROXY, excepted, others) => {
  it.each(['http', 'https'])('excepts the hosts that it names, by %s', (scheme) => {
    for (const host of [...excepted, ...others]) {
      const target = `${scheme}://${host}/v2`;
      const proxy = proxyOf(target, { HTTP_PROXY: PROXY, HTTPS_PROXY: PROXY, NO_PROXY: `other.example,${NO_PROXY}` });
      expect([host, proxy]).toEqual([host, excepted.includes(host) ? null : PROXY]);
    }
  });

  it('starts a gateway', () => {
    expect(readConfig({ UPSTREAM_URL: 'http://kb.example', HTTP_PROXY: PROXY, NO_PROXY })).toMatchObject({ ok: true });
  });
});

describe('an exception that is not understood', () => {
  const wrong = [
    '10.0.0.0/33',
    'fd00::/129',
    '10.0.0.0/x',
    '10.0.0.0/',
    '10.0.0',
    '10.0.0.',
    '10.0.0.256',
    '10.*.3',
    '256.*',
    '10.0.0.9-10.0.0.1',
    '10.0.0.1-fd00::1',
    'http://kb.example',
    'kb.example/',
    'kb.*',
    'k*b.example',
    '<local>',
    'kb.example:0',
    'kb.example:99999',
    'kb.example:https',
    '[::1',
    ':8080',
    '.',
    'me@kb.example',
  ];

  it.each(wrong)('stops the start with its place where a proxy is used: %s', (entry) => {
    const settings = { UPSTREAM_URL: 'http://kb.example', HTTP_PROXY: PROXY };
    for (const name of ['NO_PROXY', 'no_proxy']) {
      const config = readConfig({ ...settings, [name]: `10.0.0.0/8,${entry} kb.example` });
      expect(config.ok ? '' : config.error).toMatch(new RegExp(`^ {2}${name} is `, 'mu'));
      expect(config.ok ? '' : config.error).toContain(`; entry 2 ("${entry}") is none of these`);
    }
    expect(readConfig({ ...settings, NO_PROXY: entry }).ok).toBe(false);
    expect(readConfig({ ...settings, HTTP_PROXY: '', NO_PROXY: entry })).toMatchObject({ ok: true });
    expect(readConfig({ UPSTREAM_URL: 'http://kb.example', HTTPS_PROXY: PROXY, NO_PROXY: entry })).toMatchObject({
      ok: true,
    });
  });

  it('is shown by its beginning', () => {
    const config = readConfig({ UPSTREAM_URL: 'http://kb.example', HTTP_PROXY: PROXY, NO_PROXY: '/'.repeat(16_000) });
    expect((config.ok ? '' : config.error).length).toBeLessThan(600);
  });
});

describe('the keys of clients', () => {
  const settings = {
    CLIENT_JWKS_URL: 'http://127.0.0.1:9/jwks',
    CLIENT_JWT_ISSUER: 'https://id.example/',
    CLIENT_JWT_AUDIENCE: 'kb',
    HTTP_PROXY: PROXY,
  };

  it('are fetched in a tunnel only, since a proxy for http could send keys of its own', () => {
    const config = readConfig(settings);
    expect(config.ok ? '' : config.error).toMatch(/^ {2}CLIENT_JWKS_URL is .*NO_PROXY/mu);
    expect(readConfig({ ...settings, NO_PROXY: '127.0.0.1' })).toMatchObject({ ok: true });
    const overHttps = { ...settings, CLIENT_JWKS_URL: 'https://id.example/jwks', HTTPS_PROXY: PROXY };
    expect(readConfig(overHttps)).toMatchObject({ ok: true, value: { clients: { keys: { proxyUrl: PROXY } } } });
  });
});

describe('a proxy that cannot be used', () => {
  const wrong = [
    'socks5://proxy.example',
    'http://',
    'http://proxy.example/path',
    'http://proxy.example/?a',
    'http://%@proxy.example',
  ];

  it.each(wrong)('stops the start where requests would go through it: %s', (HTTPS_PROXY) => {
    const config = readConfig({ UPSTREAM_URL: 'https://kb.example', HTTPS_PROXY, PORT: 'x' });
    if (config.ok) throw new Error('the settings are taken');
    expect(config.error.split('\n')).toEqual([
      expect.any(String),
      expect.stringMatching(/^ {2}PORT /u),
      expect.stringMatching(/^ {2}HTTPS_PROXY is .* the http or https URL of a proxy/u),
    ]);
  });

  it('does not matter where nothing is sent through it', () => {
    expect(readConfig({ HTTPS_PROXY: 'socks5://proxy.example' })).toMatchObject({ ok: true });
    const excepted = { HTTPS_PROXY: 'socks5://proxy.example', NO_PROXY: 'kb.example' };
    expect(readConfig({ UPSTREAM_URL: 'https://kb.example', ...excepted })).toMatchObject({ ok: true });
  });

  it('is shown without its password', () => {
    const settings = { UPSTREAM_URL: 'https://kb.example', https_proxy: 'socks5://me:hush@proxy.example' };
    const config = readConfig(settings);
    expect(config.ok ? '' : config.error).toContain('https_proxy is "…@proxy.example"');
    expect(config.ok ? '' : config.error).not.toContain('hush');
  });
});
