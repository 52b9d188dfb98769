import { z } from 'zod';
import { booleanSetting, tokenList, wholeNumberSetting } from '../setting-types.ts';
import { databaseUrl, isPostgres } from './database-url.ts';

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

export const storeSettings = z.object({
  DATABASE_URL: databaseUrl.default('sqlite:data/kb.db'),
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
