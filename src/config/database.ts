import { z } from 'zod';
import { wholeNumber } from './setting-types.ts';

const ALLOWED = 'sqlite:PATH, sqlite::memory: or postgres://USER:PASSWORD@HOST:PORT/DATABASE';

/** Of libpq's, those that say whether there is TLS: `allow` and `prefer` leave that to whoever is on the wire. */
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

/** Clients differ in which of two values they take, so that a check of one says nothing of what is used. */
function hasEachParameterOnce(text: string): boolean {
  const names = isPostgres(text) ? [...(URL.parse(text)?.searchParams.keys() ?? [])] : [];
  return new Set(names).size === names.length;
}

/** Where the embedded store keeps its data. */
export const databaseSettings = z.object({
  DATABASE_URL: z
    .string()
    .refine(isDatabaseUrl, ALLOWED)
    .refine(hasEachParameterOnce, 'each parameter once')
    .refine(hasTlsMode, `sslmode=${TLS_MODES.join(', ').replace(/, (?=[^,]*$)/u, ' or ')}`)
    .default('sqlite:data/kb.db'),
  DATABASE_POOL_SIZE: wholeNumber(10, 1, 1_000),
});

/** A token that one gateway made up would be refused by the next one over the same database. */
export const withTokenRule = <T extends z.ZodType<{ DATABASE_URL: string; API_TOKEN?: unknown }>>(schema: T): T =>
  schema.refine(({ DATABASE_URL, API_TOKEN }) => !isPostgres(DATABASE_URL) || API_TOKEN !== undefined, {
    path: ['API_TOKEN'],
    error: 'one or more tokens, which PostgreSQL cannot do without',
    when: () => true,
  });
