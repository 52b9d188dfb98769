import { describe, expect, it } from 'vitest';
import { err } from '../../src/base/result.ts';
import { proxyUrlFor, readProxies } from '../../src/config/proxy.ts';
import { type Environment, environmentSource, SettingReader } from '../../src/config/setting-reader.ts';
import { readConfig } from '../../src/config.ts';

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
