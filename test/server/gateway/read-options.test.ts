import { describe, expect, it, vi } from 'vitest';
import { SETTING_NAMES, SETTINGS } from '../../../src/server/config/settings.ts';
import { readConfig } from '../../../src/server/config.ts';
import { readOptions } from '../../../src/server/gateway/read-options.ts';

const STORE = { kind: 'store', databaseUrl: 'sqlite::memory:', apiTokens: ['t'] } as const;
const SERVICE = { kind: 'service', url: 'https://kb.example' } as const;

/** The lines of the error message, without the first. JavaScript can pass anything. */
function problems(options: unknown): readonly string[] {
  const config = Reflect.apply(readOptions, undefined, [options]);
  return config.ok
    ? []
    : config.error
        .split('\n')
        .slice(1)
        .map((line: string) => line.trim());
}

/** Messages about options name options. */
const withoutSettingNames = (config: unknown): unknown =>
  JSON.parse(JSON.stringify(config, (key, value) => (key === 'setting' ? undefined : value)));

describe('the options of createGateway', () => {
  it('have the defaults of the command line, but for the port, the demo and the log', () => {
    const options = readOptions({ backend: STORE });
    const settings = readConfig({
      DATABASE_URL: 'sqlite::memory:',
      API_TOKEN: 't',
      PORT: '0',
      DEMO_DATA: 'false',
      LOG_LEVEL: 'warn',
    });
    expect(withoutSettingNames(options)).toEqual(withoutSettingNames(settings));
  });

  it('cover every setting that is not one of a process', () => {
    const missing = SETTING_NAMES.filter((name) => SETTINGS[name].option === null && !name.startsWith('OTEL_'));
    expect(missing.sort()).toEqual(['HOST', 'KEEP_ALIVE_SECONDS', 'MAX_HEADER_BYTES', 'PORT']);
  });

  it('reach the configuration', () => {
    const config = readOptions({
      backend: { ...SERVICE, apiToken: 'service', apiTokens: ['a', 'b'], timeoutMs: 500, readCacheSeconds: 0 },
      limits: { maxBodyBytes: 1_000, callerRequestsPerMinute: 7 },
      corsOrigins: ['https://app.example'],
      introspection: false,
      proxy: { https: 'http://proxy.example:3128', except: ['other.example'] },
      metrics: { port: 4000 },
      log: { level: 'error' },
    });
    expect(config).toMatchObject({
      ok: true,
      value: {
        backend: {
          kind: 'rest',
          apiToken: 'service',
          apiTokens: ['a', 'b'],
          timeoutMs: 500,
          readCacheMs: 0,
          proxyUrl: 'http://proxy.example:3128/',
        },
        maxBodyBytes: 1_000,
        callerRequestsPerMinute: 7,
        corsOrigins: ['https://app.example'],
        introspection: false,
        telemetry: { page: { host: '127.0.0.1', port: 4000, setting: 'metrics.port' } },
        log: { level: 'error', format: null },
      },
    });
  });

  it('do not come from the environment', () => {
    vi.stubEnv('MAX_BODY_BYTES', '17');
    const config = readOptions({ backend: STORE });
    vi.unstubAllEnvs();
    expect(config).toMatchObject({ value: { maxBodyBytes: 10_485_760 } });
  });

  it('are reported together when they are wrong, by their own names', () => {
    const wrong = {
      backend: { kind: 'service', url: 'kb.example', apiToken: 'with space', timeoutMs: {}, bulkSize: 0 },
      limits: { maxBodyByte: 1, maxBodyBytes: 0.5 },
      clients: { issuer: 'i' },
      audit: {},
      proxy: 'http://proxy.example',
      basePath: 'kb/',
      log: { level: 'loud', write: 'stdout' },
    };
    expect(problems(wrong).toSorted()).toEqual([
      'audit.path is not set; allowed: the path of a file',
      'backend.apiToken was given a value that is not shown; allowed: 1 to 1024 visible ASCII characters',
      'backend.bulkSize is "0"; allowed: a whole number from 1 to 10000',
      'backend.timeoutMs must be a text, a number, true or false, or an array of texts without commas and spaces',
      'backend.url is "kb.example"; allowed: an http or https URL without user, password, query or fragment',
      'basePath must be a path such as /kb, without a slash at its end',
      'clients.audience is not set; allowed: up to 16384 characters',
      'clients.issuer is "i"; allowed: what the JWTs have there, wherever clients.jwksUrl or clients.publicKey is set, and only there',
      'limits.maxBodyByte is no option: is limits.maxBodyBytes meant?',
      'limits.maxBodyBytes is "0.5"; allowed: a whole number from 1 to 268435456',
      'log.level is "loud"; allowed: debug, info, warn or error',
      'log.write must be a function',
      'proxy must be an object',
    ]);
  });

  it('take no plugins of Yoga, whose hooks most requests would never call', () => {
    const plugin = { onRequest: () => {}, onExecute: () => {} };
    expect(problems({ backend: STORE, plugins: [plugin] })).toEqual(['plugins is no option']);
  });

  it('take no JWTs for trying, since the server of the host may be reached from other machines', () => {
    const publicKey = 'any.pem';
    const clients = { publicKey, issuer: 'kb-gateway-dev', audience: 'kb-gateway-dev' };
    expect(problems({ backend: STORE, clients })).toEqual([
      'clients.issuer must not be kb-gateway-dev: JWTs for trying are for kb-gateway serve on this machine',
    ]);
  });

  const KIND = 'backend must be an object whose kind is "store" or "service"';
  const UNUSED = 'backend.apiTokens must be set, or clients or authenticate: backend.apiToken is used for nobody else';
  const URL_MISSING = 'backend.url is not set; allowed: an http or https URL without user, password, query or fragment';
  const TOKENS =
    'backend.apiTokens is not set; allowed: tokens of 1 to 1024 visible ASCII characters, separated by commas';
  const CLIENTS = { jwksUrl: 'https://id.example/keys', issuer: 'i', audience: 'a' };
  const BOTH = 'clients and authenticate are both set: authenticate takes the place of clients';
  const LIST = expect.stringContaining('backend.apiTokens must be a text, a number, true or false, or an array');
  it.each([
    ['nothing', undefined, [KIND]],
    ['no backend', {}, [KIND]],
    ['an unknown kind', { backend: { kind: 'rest' } }, [KIND]],
    ['no URL of the service', { backend: { kind: 'service' } }, [URL_MISSING]],
    ['an empty URL', { backend: { ...SERVICE, url: '' } }, [URL_MISSING]],
    ['a token that is used for nobody', { backend: { ...SERVICE, apiToken: 't' } }, [UNUSED]],
    ['no token for the store', { backend: { ...STORE, apiTokens: [] } }, [TOKENS]],
    ['a token with a comma', { backend: { ...STORE, apiTokens: ['a,b'] } }, [LIST]],
    ['no text among the tokens', { backend: { ...STORE, apiTokens: [undefined] } }, [LIST]],
    ['an option of the other backend', { backend: { ...STORE, bulkSize: 1 } }, ['backend.bulkSize is no option']],
    ['authenticate beside clients', { backend: STORE, authenticate: () => null, clients: CLIENTS }, [BOTH]],
    ['authenticate that is no function', { backend: STORE, authenticate: null }, ['authenticate must be a function']],
    ['dots in the base path', { backend: STORE, basePath: '/kb/..' }, [expect.stringMatching(/^basePath must/u)]],
  ])('are refused: %s', (_case, options, expected) => {
    expect(problems(options)).toEqual(expected);
  });
});
