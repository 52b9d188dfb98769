import { describe, expect, it } from 'vitest';
import { isLoopback } from '../../src/server/config/setting-types.ts';
import { SETTING_GROUPS } from '../../src/server/config/settings.ts';
import { readConfig, readLocalConfig } from '../../src/server/config.ts';

function read(environment: Record<string, string>) {
  const config = readConfig(environment);
  if (!config.ok) throw new Error(config.error);
  return config.value;
}

/** The lines of the error message, without the first. */
function problems(environment: Record<string, string>): readonly string[] {
  const config = readConfig(environment);
  return config.ok ? [] : config.error.split('\n').slice(1);
}

describe('the settings', () => {
  it('are at most 50, beside those that other programs have as well', () => {
    const { COMMON, STORE, SERVICE } = SETTING_GROUPS;
    expect(Object.keys({ ...COMMON, ...STORE, ...SERVICE }).length).toBeLessThanOrEqual(50);
  });
});

describe('readConfig', () => {
  it('has defaults for everything, with the embedded store', () => {
    expect(read({})).toEqual({
      backend: {
        kind: 'local',
        databaseUrl: 'sqlite:data/kb.db',
        isNamed: false,
        setting: 'DATABASE_URL',
        databasePoolSize: 10,
        apiTokens: null,
        demoData: true,
      },
      host: '127.0.0.1',
      port: 4000,
      requestTimeoutMs: 30_000,
      maxBodyBytes: 10_485_760,
      keepAliveMs: 75_000,
      maxHeaderBytes: 16_384,
      maxBulkItems: 10_000,
      maxQueryDepth: 16,
      corsOrigins: [],
      clients: null,
      callerRequestsPerMinute: 0,
      audit: null,
      persistedDocuments: { path: null, mode: 'also', setting: 'PERSISTED_DOCUMENTS' },
      introspection: true,
      console: true,
      consoleSignIn: null,
      coalesceWrites: true,
      state: {
        url: 'sqlite:data/kb.db',
        setting: 'DATABASE_URL',
        isNamed: false,
        isShared: false,
        onFailure: 'closed',
        maxJobItems: 1_000_000,
        maxBytes: 1_073_741_824,
        openMs: 3_600_000,
        keepMs: 2_592_000_000,
      },
      shutdownGraceMs: 10_000,
      log: { level: 'info', format: null },
      telemetry: { page: null, metricExports: [], metricIntervalMs: 60_000, metricTimeoutMs: 30_000, traces: false },
      mcp: { http: true, writes: 'off' },
      warnings: [],
    });
  });

  it('forwards to the service when UPSTREAM_URL is set', () => {
    expect(read({ UPSTREAM_URL: 'https://kb.example/base//', UPSTREAM_BULK_SIZE: '7' }).backend).toEqual({
      kind: 'rest',
      baseUrl: 'https://kb.example/base',
      setting: 'UPSTREAM_URL',
      apiToken: null,
      apiTokens: null,
      proxyUrl: null,
      timeoutMs: 10_000,
      bulkSize: 7,
      maxBulkCalls: 2_858,
      maxReadCalls: 60,
      keepsHidden: true,
      readCacheMs: 30_000,
      readCacheBytes: 33_554_432,
    });
  });

  it('reads every setting', () => {
    const config = read({
      HOST: '0.0.0.0',
      PORT: '0',
      KEEP_ALIVE_SECONDS: '905',
      MAX_HEADER_BYTES: '65536',
      REQUEST_TIMEOUT_MS: '2000',
      MAX_BODY_BYTES: '2',
      MAX_BULK_ITEMS: '3',
      MAX_QUERY_DEPTH: '6',
      CORS_ORIGINS: 'https://app.example, http://localhost:5173',
      CLIENT_JWKS_URL: 'https://id.example/jwks?app=1',
      CLIENT_JWT_ISSUER: 'https://id.example/',
      CLIENT_JWT_AUDIENCE: 'kb-gateway',
      CLIENT_JWT_SCOPE_CLAIM: 'permissions',
      CALLER_REQUESTS_PER_MINUTE: '60',
      AUDIT_LOG: 'audit.jsonl',
      AUDIT_FAILURE: 'open',
      PERSISTED_DOCUMENTS: 'documents.json',
      PERSISTED_DOCUMENTS_MODE: 'only',
      INTROSPECTION: 'off',
      CONSOLE: 'on',
      CONSOLE_OIDC_ISSUER: 'https://id.example/',
      CONSOLE_OIDC_CLIENT_ID: 'console',
      MCP_HTTP: 'off',
      MCP_WRITES: 'preview',
      COALESCE_WRITES: 'off',
      SHUTDOWN_GRACE_MS: '0',
      STATE_URL: 'sqlite:state.db',
      STATE_FAILURE: 'open',
      MAX_JOB_ITEMS: '16',
      MAX_STATE_BYTES: '1048577',
      JOB_OPEN_SECONDS: '17',
      JOB_KEEP_DAYS: '18',
      LOG_LEVEL: 'debug',
      LOG_FORMAT: 'pretty',
      DATABASE_URL: 'postgres://me:hush@kb.example:5433/kb?sslmode=verify-full',
      DATABASE_POOL_SIZE: '3',
      API_TOKEN: 'one, two',
      DEMO_DATA: 'false',
    });
    expect(config).toEqual({
      backend: {
        kind: 'local',
        databaseUrl: 'postgres://me:hush@kb.example:5433/kb?sslmode=verify-full',
        isNamed: true,
        setting: 'DATABASE_URL',
        databasePoolSize: 3,
        apiTokens: ['one', 'two'],
        demoData: false,
      },
      host: '0.0.0.0',
      port: 0,
      keepAliveMs: 905_000,
      maxHeaderBytes: 65_536,
      requestTimeoutMs: 2_000,
      maxBodyBytes: 2,
      maxBulkItems: 3,
      maxQueryDepth: 6,
      corsOrigins: ['https://app.example', 'http://localhost:5173'],
      clients: {
        keys: { jwksUrl: 'https://id.example/jwks?app=1', proxyUrl: null, setting: 'CLIENT_JWKS_URL' },
        issuer: 'https://id.example/',
        audience: 'kb-gateway',
        scopeClaim: 'permissions',
      },
      callerRequestsPerMinute: 60,
      audit: { path: 'audit.jsonl', failureMode: 'open', setting: 'AUDIT_LOG' },
      persistedDocuments: { path: 'documents.json', mode: 'only', setting: 'PERSISTED_DOCUMENTS' },
      introspection: false,
      console: true,
      consoleSignIn: {
        issuer: 'https://id.example/',
        clientId: 'console',
        audience: 'kb-gateway',
        proxyUrl: null,
        setting: 'CONSOLE_OIDC_ISSUER',
      },
      coalesceWrites: false,
      shutdownGraceMs: 0,
      state: {
        url: 'sqlite:state.db',
        setting: 'STATE_URL',
        isNamed: true,
        isShared: false,
        onFailure: 'open',
        maxJobItems: 16,
        maxBytes: 1_048_577,
        openMs: 17_000,
        keepMs: 1_555_200_000,
      },
      log: { level: 'debug', format: 'pretty' },
      telemetry: { page: null, metricExports: [], metricIntervalMs: 60_000, metricTimeoutMs: 30_000, traces: false },
      mcp: { http: false, writes: 'preview' },
      warnings: [],
    });
  });

  it('counts an empty setting as unset', () => {
    const unset = { UPSTREAM_URL: '', PORT: '', API_TOKEN: '', DATABASE_URL: '', LOG_LEVEL: '' };
    expect(read(unset)).toEqual(read({}));
  });

  it('ignores settings of the backend that is not in use', () => {
    expect(problems({ UPSTREAM_TIMEOUT_MS: 'soon', UPSTREAM_API_TOKEN: 'a b', MAX_UPSTREAM_CALLS: '-1' })).toEqual([]);
    expect(problems({ UPSTREAM_URL: 'http://kb.example', DATABASE_URL: 'x', API_TOKEN: ' ', DEMO_DATA: 'x' })).toEqual(
      [],
    );
  });

  it.each([
    [{}, true],
    [{ CONSOLE: 'off' }, false],
    [{ INTROSPECTION: 'off' }, false],
    [{ INTROSPECTION: 'off', CONSOLE: 'on' }, true],
    [{ PERSISTED_DOCUMENTS: 'x', PERSISTED_DOCUMENTS_MODE: 'only' }, false],
    [{ PERSISTED_DOCUMENTS: 'x', PERSISTED_DOCUMENTS_MODE: 'only', CONSOLE: 'on' }, true],
  ])('serves the console with %j: %s', (environment, isServed) => {
    expect(read(environment).console).toBe(isServed);
  });

  it.each(['INTROSPECTION', 'COALESCE_WRITES', 'DEMO_DATA', 'MCP_HTTP', 'CONSOLE'])(
    'takes both spellings of %s',
    (name) => {
      const readBoolean = (value: string) => {
        const { introspection, coalesceWrites, backend, mcp, console: isServed } = read({ [name]: value });
        const demoData = backend.kind === 'local' && backend.demoData;
        return new Map([
          ['INTROSPECTION', introspection],
          ['COALESCE_WRITES', coalesceWrites],
          ['DEMO_DATA', demoData],
          ['MCP_HTTP', mcp.http],
          ['CONSOLE', isServed],
        ]).get(name);
      };
      expect(['true', 'on', 'false', 'off'].map(readBoolean)).toEqual([true, true, false, false]);
      expect(problems({ [name]: 'True' })).toHaveLength(1);
    },
  );

  it('keeps jobs in the database of the store, in a file of its own, or where STATE_URL says', () => {
    const stateOf = (environment: Record<string, string>) => {
      const { url, setting } = read(environment).state;
      return [url, setting];
    };
    const service = { UPSTREAM_URL: 'http://kb.example' };
    expect(stateOf({ DATABASE_URL: 'sqlite:x.db' })).toEqual(['sqlite:x.db', 'DATABASE_URL']);
    expect(stateOf({ DATABASE_URL: 'sqlite:x.db', STATE_URL: 'sqlite:y.db' })).toEqual(['sqlite:y.db', 'STATE_URL']);
    expect(stateOf({ ...service, DATABASE_URL: 'sqlite:x.db' })).toEqual(['sqlite:data/state.db', 'STATE_URL']);
    expect(stateOf({ ...service, STATE_URL: 'postgres://h/state' })).toEqual(['postgres://h/state', 'STATE_URL']);
  });

  it('refuses wrong limits of jobs', () => {
    const wrong = { MAX_JOB_ITEMS: '0', MAX_STATE_BYTES: '1', JOB_OPEN_SECONDS: '0', JOB_KEEP_DAYS: '0.5' };
    expect(problems(wrong).map((line) => line.trim().split(' ')[0])).toEqual(Object.keys(wrong));
  });

  it('shares the state of gateways in front of the service through PostgreSQL alone', () => {
    const service = { UPSTREAM_URL: 'http://kb.example' };
    const isShared = (environment: Readonly<Record<string, string>>) => read(environment).state.isShared;
    expect(isShared({ ...service, STATE_URL: 'postgres://h/state' })).toBe(true);
    expect(isShared({ ...service, STATE_URL: 'sqlite:state.db' })).toBe(false);
    expect(isShared(service)).toBe(false);
    expect(isShared({ STATE_URL: 'postgres://h/state' })).toBe(false);
  });

  it.each([{}, { UPSTREAM_URL: 'http://kb.example' }])('refuses a state of another kind: %j', (backend) => {
    expect(problems({ ...backend, STATE_URL: 'mysql://me:hush@h/state' })).toEqual([
      '  STATE_URL is "…@h/state"; allowed: sqlite:PATH, sqlite::memory: or postgres://USER:PASSWORD@HOST:PORT/DATABASE',
    ]);
  });

  it('is frozen', () => {
    const config = read({ API_TOKEN: 'one' });
    const parts = [config, config.backend, config.state, config.corsOrigins];
    expect(parts.every((part) => Object.isFrozen(part))).toBe(true);
  });
});

describe('a setting that is allowed and rarely meant', () => {
  const warnings = (environment: Record<string, string>) =>
    read(environment).warnings.map(({ setting, reason }) => `${setting} ${reason}`);

  it.each(['http://kb.example', 'http://192.168.0.4:8080/kb', 'HTTP://[2001:db8::1]', 'http://127.0.0.1.example'])(
    'is plain http to another machine: %s',
    (UPSTREAM_URL) => {
      const reason = 'is http to another machine: tokens and texts go there unencrypted';
      expect(warnings({ UPSTREAM_URL })).toEqual([`UPSTREAM_URL ${reason}`]);
    },
  );

  it.each([
    'https://kb.example',
    'http://localhost:4001',
    'http://127.0.0.1:4001',
    'http://127.1.2.3',
    'http://[::1]:1',
  ])('is not https, nor http to this machine: %s', (UPSTREAM_URL) => {
    expect(warnings({ UPSTREAM_URL, UPSTREAM_API_TOKEN: 't' })).toEqual([]);
  });

  it('is a call that may take longer than its request', () => {
    const service = { UPSTREAM_URL: 'https://kb.example', UPSTREAM_TIMEOUT_MS: '30000' };
    expect(warnings(service)).toEqual([]);
    expect(warnings({ ...service, REQUEST_TIMEOUT_MS: '29999' })).toEqual([
      'UPSTREAM_TIMEOUT_MS is longer than REQUEST_TIMEOUT_MS, 29999, at which reads end: only a write that has begun may take it whole',
    ]);
  });

  it.each(['UPSTREAM_API_TOKEN', 'UPSTREAM_API_TOKEN_FILE'])('is %s without a service', (name) => {
    const reason = 'has no effect without UPSTREAM_URL: the embedded store answers';
    expect(warnings({ [name]: 'a b' })).toEqual([`UPSTREAM_API_TOKEN ${reason}`]);
    expect(warnings({ [name]: '' })).toEqual([]);
  });
});

describe('a wrong setting', () => {
  it.each(['https://kb.example/v2', 'https://kb.example/v2//', 'http://127.0.0.1:1/base/V2'])(
    'is a base URL with the /v2 that the gateway adds: %s',
    (UPSTREAM_URL) => {
      const allowed = 'allowed: the URL without its /v2 at the end, which the gateway adds';
      expect(problems({ UPSTREAM_URL })).toEqual([`  UPSTREAM_URL is "${UPSTREAM_URL}"; ${allowed}`]);
      expect(problems({ UPSTREAM_URL: UPSTREAM_URL.replace(/v2/iu, 'dev2') })).toEqual([]);
    },
  );

  it('is reported together with all others, with its value and the allowed ones', () => {
    expect(
      problems({
        PORT: '65536',
        MAX_BODY_BYTES: '1e3',
        INTROSPECTION: 'yes',
        MCP_WRITES: 'true',
        LOG_LEVEL: 'loud',
        LOG_FORMAT: 'text',
        DEMO_DATA: '1',
      }),
    ).toEqual([
      '  PORT is "65536"; allowed: a whole number from 0 to 65535',
      '  LOG_LEVEL is "loud"; allowed: debug, info, warn or error',
      '  MAX_BODY_BYTES is "1e3"; allowed: a whole number from 1 to 268435456',
      '  INTROSPECTION is "yes"; allowed: true or false (on or off)',
      '  MCP_WRITES is "true"; allowed: off, preview or on',
      '  LOG_FORMAT is "text"; allowed: json or pretty',
      '  DEMO_DATA is "1"; allowed: true or false (on or off)',
    ]);
  });

  it('executes trusted documents only where there are some', () => {
    expect(problems({ PERSISTED_DOCUMENTS_MODE: 'only' })).toEqual([
      '  PERSISTED_DOCUMENTS is not set; allowed: a file of documents, with PERSISTED_DOCUMENTS_MODE=only',
    ]);
    expect(problems({ PERSISTED_DOCUMENTS_MODE: 'just' })).toEqual([
      '  PERSISTED_DOCUMENTS_MODE is "just"; allowed: also or only',
    ]);
  });

  it.each([
    { DATABASE_URL: 'sqlite:folder/kb.db' },
    { STATE_URL: 'sqlite:folder/kb.db' },
    { STATE_URL: 'sqlite:folder/kb.db', UPSTREAM_URL: 'https://kb.example' },
  ])('is an audit log in the file of a database, which would overwrite it: %j', (environment) => {
    expect(problems({ ...environment, AUDIT_LOG: './folder/kb.db' })).toEqual([
      '  AUDIT_LOG is "./folder/kb.db"; allowed: another file than that of a database',
    ]);
    expect(problems({ ...environment, AUDIT_LOG: 'folder/kb.db.jsonl' })).toEqual([]);
  });

  it('is a request timeout that is too short for any write', () => {
    expect(problems({ REQUEST_TIMEOUT_MS: '1999' })).toEqual([
      '  REQUEST_TIMEOUT_MS is "1999"; allowed: a whole number from 2000 to 3600000',
    ]);
  });

  it.each(['-1', '1.5', '0x10', ' 1', '9'.repeat(30), 'NaN'])('is %j for a whole number', (PORT) => {
    expect(problems({ PORT })).toHaveLength(1);
  });

  it.each([
    'localhost',
    'ftp://kb.example',
    'http:kb.example',
    'https://',
    'https://kb.example/?a=1',
    'https://kb.example/#a',
  ])('is %j for the base URL of the service', (UPSTREAM_URL) => {
    expect(problems({ UPSTREAM_URL })).toEqual([
      expect.stringContaining('an http or https URL without user, password, query or fragment'),
    ]);
  });

  it.each([
    '*',
    'null',
    'https://*.example',
    'app.example',
    'https://app.example/',
    'https://app.example/path',
    'https://APP.example',
    'https://app.example:443',
    'https://me@app.example',
    'ftp://app.example',
    'https://app.example,',
    'https://app.example https://b.example',
  ])('is %j for web origins', (CORS_ORIGINS) => {
    expect(problems({ CORS_ORIGINS })).toEqual([expect.stringContaining('origins such as https://app.example')]);
    const many = 'https://app.example,'.repeat(20);
    expect(problems({ CORS_ORIGINS: `${many}https://App.example` })).toEqual([
      expect.stringMatching(/; entry 21 \("https:\/\/App\.example"\) is none of these$/u),
    ]);
  });

  it.each([
    'mysql://h/db',
    'sqlite:',
    'data/kb.db',
    'postgres://',
    'postgres:///kb',
    'postgresql:kb',
    'postgres://h:p/kb',
  ])('is %j for a database', (DATABASE_URL) => {
    expect(problems({ DATABASE_URL, API_TOKEN: 'token' })).toEqual([
      `  DATABASE_URL is "${DATABASE_URL}"; allowed: sqlite:PATH, sqlite::memory: or postgres://USER:PASSWORD@HOST:PORT/DATABASE`,
    ]);
  });

  it.each(['prefer', 'allow', 'no-verify', ''])(
    'is an sslmode of %j, which may leave the connection unencrypted',
    (mode) => {
      expect(problems({ DATABASE_URL: `postgres://h/kb?sslmode=${mode}`, API_TOKEN: 'token' })).toEqual([
        '  DATABASE_URL is "postgres://h/kb?…"; allowed: sslmode=disable, require, verify-ca or verify-full',
      ]);
    },
  );

  it.each(['sslmode=verify-full&sslmode=disable', 'host=a&host=b'])(
    'is the same parameter twice, as in %s',
    (query) => {
      expect(problems({ DATABASE_URL: `postgres://h/kb?${query}`, API_TOKEN: 'token' })).toEqual([
        '  DATABASE_URL is "postgres://h/kb?…"; allowed: each parameter once',
      ]);
    },
  );

  it('is a SQLite file in the home folder as a shell writes it, which would become a folder of that name', () => {
    expect(problems({ DATABASE_URL: 'sqlite:~/kb.db' })).toEqual([
      '  DATABASE_URL is "sqlite:~/kb.db"; allowed: the path without ~, which only a shell expands',
    ]);
    expect(problems({ DATABASE_URL: 'sqlite:./~/kb.db', STATE_URL: 'sqlite:~kb.db' })).toEqual([]);
  });

  it('is PostgreSQL without a host, unless a parameter names one, such as a folder of sockets', () => {
    expect(problems({ DATABASE_URL: 'postgres://me:hush@/kb', API_TOKEN: 'token' })).toHaveLength(1);
    expect(readLocalConfig({ DATABASE_URL: 'postgres://me:hush@/kb?host=/cloudsql/a:b:c' })).toMatchObject({
      value: { backend: { databaseUrl: 'postgres://me:hush@localhost/kb?host=/cloudsql/a:b:c' } },
    });
  });

  it('is PostgreSQL without API_TOKEN, except for import', () => {
    const settings = { DATABASE_URL: 'postgres://me:hush@h/kb' };
    expect(problems(settings)).toEqual([
      '  API_TOKEN is not set; allowed: one or more tokens, which PostgreSQL cannot do without',
    ]);
    expect(readLocalConfig(settings)).toMatchObject({ ok: true });
  });

  it.each(['a b', 'a,,b', 'ü', 'a\nb', `${'a'.repeat(1025)}`])(
    'is an API_TOKEN that no header can carry',
    (API_TOKEN) => {
      expect(problems({ API_TOKEN })).toHaveLength(1);
    },
  );

  it('shows neither a token nor the user and query of a URL', () => {
    const shown = [
      ...problems({ API_TOKEN: 'hush hush' }),
      ...problems({ UPSTREAM_URL: 'http:me:hush@kb.example', UPSTREAM_API_TOKEN: 'hush hush' }),
      ...problems({ UPSTREAM_URL: 'http://kb.example/?token=hush' }),
      ...problems({ DATABASE_URL: 'postgres://me:hush@kb.example/?password=hush', API_TOKEN: 'token' }),
    ];
    expect(shown).toHaveLength(5);
    expect(shown.join('\n')).not.toContain('hush');
  });

  it('cannot write control characters to a terminal', () => {
    expect(problems({ LOG_LEVEL: '\u001b[2J' })[0]).toContain('"\\u001b[2J"');
  });
});

const CLIENTS = { CLIENT_JWT_ISSUER: 'https://id.example/', CLIENT_JWT_AUDIENCE: 'kb-gateway' };

describe('client authentication', () => {
  it.each(['https://id.example/jwks', 'http://127.0.0.1:9/jwks', 'http://[::1]/jwks', 'http://localhost/jwks?app=1'])(
    'fetches keys from %s',
    (CLIENT_JWKS_URL) => {
      expect(read({ ...CLIENTS, CLIENT_JWKS_URL }).clients).toEqual({
        keys: { jwksUrl: CLIENT_JWKS_URL, proxyUrl: null, setting: 'CLIENT_JWKS_URL' },
        issuer: 'https://id.example/',
        audience: 'kb-gateway',
        scopeClaim: 'scope',
      });
    },
  );

  it.each([
    'http://id.example/jwks',
    'http://127.0.0.1.id.example/jwks',
    'file:///jwks.json',
    'https://me:hush@id.example/jwks',
    'https://id.example/jwks#a',
    'id.example/jwks',
  ])('does not fetch keys from %s', (CLIENT_JWKS_URL) => {
    expect(problems({ ...CLIENTS, CLIENT_JWKS_URL })).toEqual([expect.stringContaining('an https URL')]);
  });

  it('has one source of keys', () => {
    expect(problems({ ...CLIENTS, CLIENT_JWKS_URL: 'https://id.example/jwks', CLIENT_PUBLIC_KEY: 'key.pem' })).toEqual([
      expect.stringMatching(/^ {2}CLIENT_PUBLIC_KEY .*either/u),
    ]);
  });

  it('is refused if any of its settings is missing', () => {
    const named = (environment: Record<string, string>) =>
      problems(environment).map((line) => line.trim().split(' ')[0]);
    const key = { CLIENT_PUBLIC_KEY: 'key.pem' };
    expect(named(key)).toEqual(['CLIENT_JWT_ISSUER', 'CLIENT_JWT_AUDIENCE']);
    expect(named({ ...key, CLIENT_JWT_ISSUER: 'x' })).toEqual(['CLIENT_JWT_AUDIENCE']);
    expect(named({ ...key, CLIENT_JWT_AUDIENCE: 'x' })).toEqual(['CLIENT_JWT_ISSUER']);
    expect(named({ ...CLIENTS, CLIENT_JWT_SCOPE_CLAIM: 'scp' })).toEqual([
      'CLIENT_JWT_ISSUER',
      'CLIENT_JWT_AUDIENCE',
      'CLIENT_JWT_SCOPE_CLAIM',
    ]);
    expect(named({ ...key, PORT: 'x', UPSTREAM_URL: 'http://kb.example' })).toHaveLength(3);
  });

  it('shows no key, which may be the private one', () => {
    expect(problems({ CLIENT_PUBLIC_KEY: 'hush'.repeat(1_000) }).join('\n')).not.toContain('hush');
  });
});

describe('the sign-in of the console', () => {
  const keys = { ...CLIENTS, CLIENT_JWKS_URL: 'https://id.example/jwks' };
  const signIn = { CONSOLE_OIDC_ISSUER: 'https://id.example/', CONSOLE_OIDC_CLIENT_ID: 'console' };

  it('is at the issuer of the clients', () => {
    expect(read({ ...keys, ...signIn }).consoleSignIn).toEqual({
      issuer: 'https://id.example/',
      clientId: 'console',
      audience: 'kb-gateway',
      proxyUrl: null,
      setting: 'CONSOLE_OIDC_ISSUER',
    });
    const issuer = 'http://127.0.0.1:9000/realm';
    expect(
      read({ ...keys, ...signIn, CLIENT_JWT_ISSUER: issuer, CONSOLE_OIDC_ISSUER: issuer }).consoleSignIn,
    ).toMatchObject({ issuer });
  });

  it.each([
    [
      'without its client',
      { ...keys, CONSOLE_OIDC_ISSUER: 'https://id.example/' },
      /CONSOLE_OIDC_CLIENT_ID is not set/u,
    ],
    ['without its issuer', { ...keys, CONSOLE_OIDC_CLIENT_ID: 'console' }, /CONSOLE_OIDC_ISSUER is not set/u],
    ['without client authentication', signIn, /the same issuer as CLIENT_JWT_ISSUER, with CLIENT_JWKS_URL or/u],
    ['at another issuer', { ...keys, ...signIn, CONSOLE_OIDC_ISSUER: 'https://id.example' }, /the same issuer as/u],
    ['at an issuer without TLS', { ...keys, ...signIn, CONSOLE_OIDC_ISSUER: 'http://id.example/' }, /an https URL/u],
    ['at a URL with a query', { ...keys, ...signIn, CONSOLE_OIDC_ISSUER: 'https://id.example/?a' }, /an https URL/u],
  ] as const)('stops the start %s', (_name, environment, problem) => {
    expect(problems(environment)).toEqual([expect.stringMatching(problem)]);
  });
});

describe('UPSTREAM_API_TOKEN', () => {
  const rest = { UPSTREAM_URL: 'http://kb.example', UPSTREAM_API_TOKEN: 'key' };

  it.each(['127.0.0.1', '0.0.0.0', '::', 'kb.example'])(
    'is accepted with HOST %s, because no address entitles to it',
    (HOST) => {
      expect(read({ ...rest, HOST }).backend).toMatchObject({ apiToken: 'key', apiTokens: null });
    },
  );

  it('is lent to callers with one of API_TOKEN', () => {
    const { backend } = read({ ...rest, API_TOKEN: 'one, two' });
    expect(backend).toMatchObject({ apiToken: 'key', apiTokens: ['one', 'two'] });
    expect(problems({ ...rest, API_TOKEN: 'one,hush hush,two' })).toEqual([
      expect.stringMatching(/^ {2}API_TOKEN .* not shown; allowed: tokens of .*; entry 2 is none of these$/u),
    ]);
  });

  it('makes API_TOKEN count, because without it there is nothing to lend', () => {
    expect(read({ UPSTREAM_URL: 'http://kb.example', API_TOKEN: 'one' }).backend).toMatchObject({ apiTokens: null });
  });
});

describe('readLocalConfig', () => {
  it('reads the settings of the embedded store, and none where UPSTREAM_URL is set', () => {
    const settings = { DATABASE_URL: 'sqlite:x.db', UPSTREAM_URL: '' };
    expect(readLocalConfig(settings)).toMatchObject({ ok: true, value: { backend: { databaseUrl: 'sqlite:x.db' } } });
    expect(readLocalConfig({ ...settings, UPSTREAM_URL: 'http://kb.example' })).toEqual({ ok: true, value: null });
  });
});

describe('isLoopback', () => {
  it('is true for addresses that only this machine can reach', () => {
    expect(['localhost', '127.0.0.1', '::1'].every(isLoopback)).toBe(true);
    expect(['0.0.0.0', '::', '192.168.0.1', 'localhost.example'].some(isLoopback)).toBe(false);
  });
});
