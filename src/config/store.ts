import { z } from 'zod';
import { booleanSetting, tokenList, wholeNumberSetting } from './setting-types.ts';

/** Settings of the embedded store. */
export interface LocalBackendConfig {
  readonly kind: 'local';
  /** `sqlite:PATH`, `sqlite::memory:` or `postgres://…`. */
  readonly databaseUrl: string;
  /** Connections to PostgreSQL at most. */
  readonly databasePoolSize: number;
  /** Null when `API_TOKEN` is unset: a token is then generated, except with PostgreSQL. */
  readonly apiTokens: readonly string[] | null;
  readonly demoData: boolean;
}

const ALLOWED_URLS = 'sqlite:PATH, sqlite::memory: or postgres://USER:PASSWORD@HOST:PORT/DATABASE';

/**
 * Modes of libpq that fix whether TLS is used. With `allow` and `prefer` an attacker on the network could decide it.
 */
const TLS_MODES = ['disable', 'require', 'verify-ca', 'verify-full'];

const isPostgres = (url: string): boolean => /^postgres(?:ql)?:\/\//u.test(url);

function isDatabaseUrl(text: string): boolean {
  if (!isPostgres(text)) return /^sqlite:./u.test(text);
  const url = URL.parse(text);
  return url !== null && (url.hostname !== '' || url.searchParams.has('host')) && url.pathname.length > 1;
}

function hasTlsMode(text: string): boolean {
  const mode = isPostgres(text) ? URL.parse(text)?.searchParams.get('sslmode') : null;
  return mode == null || TLS_MODES.includes(mode);
}

/** PostgreSQL clients differ in which of two values they use, so checking one of them would prove nothing. */
function hasEachParameterOnce(text: string): boolean {
  const names = isPostgres(text) ? [...(URL.parse(text)?.searchParams.keys() ?? [])] : [];
  return new Set(names).size === names.length;
}

export const storeSettings = z.object({
  DATABASE_URL: z
    .string()
    .refine(isDatabaseUrl, ALLOWED_URLS)
    .refine(hasEachParameterOnce, 'each parameter once')
    .refine(hasTlsMode, `sslmode=${TLS_MODES.join(', ').replace(/, (?=[^,]*$)/u, ' or ')}`)
    .default('sqlite:data/kb.db'),
  DATABASE_POOL_SIZE: wholeNumberSetting(10, 1, 1_000),
  API_TOKEN: tokenList,
  DEMO_DATA: booleanSetting(true),
});

export const storeConfig = (settings: z.infer<typeof storeSettings>): LocalBackendConfig =>
  Object.freeze({
    kind: 'local',
    databaseUrl: settings.DATABASE_URL,
    databasePoolSize: settings.DATABASE_POOL_SIZE,
    apiTokens: settings.API_TOKEN ? Object.freeze(settings.API_TOKEN) : null,
    demoData: settings.DEMO_DATA,
  });

/** PostgreSQL requires `API_TOKEN`: other gateways on the same database would refuse a token that one has generated. */
export const withTokenRule = <T extends z.ZodType<{ DATABASE_URL: string; API_TOKEN?: unknown }>>(schema: T): T =>
  schema.refine(({ DATABASE_URL, API_TOKEN }) => !isPostgres(DATABASE_URL) || API_TOKEN !== undefined, {
    path: ['API_TOKEN'],
    error: 'one or more tokens, which PostgreSQL cannot do without',
    when: () => true,
  });
