import { z } from 'zod';

const ALLOWED_URLS = 'sqlite:PATH, sqlite::memory: or postgres://USER:PASSWORD@HOST:PORT/DATABASE';

/**
 * Modes of libpq that fix whether TLS is used. With `allow` and `prefer` an attacker on the network could decide it.
 */
const TLS_MODES = ['disable', 'require', 'verify-ca', 'verify-full'];

export const isPostgres = (url: string): boolean => /^postgres(?:ql)?:\/\//u.test(url);

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

/** The URL of a database, of either kind. */
export const databaseUrl = z
  .string()
  .refine(isDatabaseUrl, ALLOWED_URLS)
  .refine(hasEachParameterOnce, 'each parameter once')
  .refine(hasTlsMode, `sslmode=${TLS_MODES.join(', ').replace(/, (?=[^,]*$)/u, ' or ')}`);
