import { hostOf, serviceUrlOf } from '../../core/base/network.ts';
import { toPrintableJson } from '../../core/base/printable.ts';
import { err, ok, type Result } from '../../core/base/result.ts';
import { shorten } from '../../core/base/text.ts';

/** The type of a setting. */
export interface SettingType<Value> {
  /** The allowed values, for people. Empty where any text is allowed. */
  readonly allowed: string;
  /** Parses a text that is not empty. The error says what is allowed. */
  readonly parse: (text: string) => Result<Value, string>;
}

const checked = (allowed: string, holds: (text: string) => boolean): SettingType<string> => ({
  allowed,
  parse: (text) => (holds(text) ? ok(text) : err(allowed)),
});

/** A type of texts separated by commas. The error names the first wrong one, a secret one by its position alone. */
function listOf(allowed: string, holds: (item: string) => boolean, isSecret = false): SettingType<readonly string[]> {
  const parse = (text: string) => {
    const items = text.split(',').map((item) => item.trim());
    return items.every(holds) ? ok(items) : err(`${allowed}${wrongEntry(items, holds, isSecret)}`);
  };
  return { allowed, parse };
}

/** Names the wrong one of several entries, as the end of a sentence that says what is allowed; '' where none is wrong. */
export function wrongEntry(items: readonly string[], holds: (item: string) => boolean, isSecret = false): string {
  const index = items.findIndex((item) => !holds(item));
  if (index === -1 || items.length === 1) return '';
  const text = isSecret ? '' : ` (${toPrintableJson(shorten(items[index] ?? ''))})`;
  return `; entry ${index + 1}${text} is none of these`;
}

/** A whole number in decimal digits, from `min` to `max`. */
export function wholeNumber(min: number, max: number): SettingType<number> {
  const allowed = `a whole number from ${min} to ${max}`;
  const parse = (text: string) => {
    const value = /^\d+$/u.test(text) ? Number(text) : Number.NaN;
    return Number.isSafeInteger(value) && value >= min && value <= max ? ok(value) : err(allowed);
  };
  return { allowed, parse };
}

/** The spellings of true and false. One is documented; `on` and `off` mean the same. */
const BOOLEANS: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['on', true],
  ['false', false],
  ['off', false],
]);

export const trueOrFalse: SettingType<boolean> = {
  allowed: 'true or false (on or off)',
  parse: (text) => {
    const value = BOOLEANS.get(text);
    return value === undefined ? err(trueOrFalse.allowed) : ok(value);
  },
};

/** One of several words. */
export function oneOf<const Word extends string>(...words: readonly Word[]): SettingType<Word> {
  const allowed = enumerate(words);
  const parse = (text: string) => {
    const word = words.find((other) => other === text);
    return word === undefined ? err(allowed) : ok(word);
  };
  return { allowed, parse };
}

const enumerate = (words: readonly string[]): string =>
  words.length === 1 ? `${words[0]}` : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;

/** One or more words, or `none`, which means an empty list. */
export function wordsOrNone<const Word extends string>(
  words: readonly Word[],
  hint = '',
): SettingType<readonly Word[]> {
  const allowed = `${words.join(', ')}, separated by commas, or none${hint}`;
  const parse = (text: string) => {
    const items = text.split(',').map((item) => item.trim());
    const known = items.flatMap((item) => words.find((word) => word === item) ?? []);
    if (known.length === items.length || text === 'none') return ok(known);
    return err(`${allowed}${wrongEntry(items, (item) => words.some((word) => word === item))}`);
  };
  return { allowed, parse };
}

/** Hosts or addresses, separated by commas or spaces, as programs read `NO_PROXY`. They are checked where a proxy is used. */
export const hostList: SettingType<readonly string[]> = {
  allowed: '',
  parse: (text) => ok(text.split(/[\s,]+/u).filter((host) => host !== '')),
};

export const anyText = checked('', () => true);

export const shortText = checked('up to 16384 characters', (text) => text.length <= 16_384);

/** True or false in any case, as programs with OpenTelemetry read it. */
export const trueOrFalseText = checked('true or false', (text) => /^(?:true|false)$/iu.test(text));

/** The path of a file. The start opens it, and reports what is wrong with it. */
export const filePath = checked('the path of a file', (path) => !path.includes('\0'));

/** A name or an address to listen on. */
export const hostName = checked('a host name or an IP address', (host) => /^[\w.:%-]+$/u.test(host));

/** True for addresses that only this machine can reach. */
export const isLoopback = (host: string): boolean => /^(localhost|127(\.\d{1,3}){3}|::1)$/iu.test(host);

/** True where the URL can only mean this machine. */
export function isLoopbackUrl(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && isLoopback(hostOf(url));
}

/** The URL of a host, to which exporters add a path. */
export const endpointUrl = checked('an http or https URL', (text) => /^https?:\/\//iu.test(text) && URL.canParse(text));

const BASE_URLS = 'an http or https URL without user, password, query or fragment';

/** The base URL of a service, in the one form by which everything that belongs to the service names it. */
export const baseUrl: SettingType<string> = {
  allowed: BASE_URLS,
  parse: (text) => {
    const url = URL.parse(text);
    const isBase = url !== null && /^https?:\/\//iu.test(text) && !url.username && !url.password && !/[?#]/u.test(text);
    return isBase ? ok(serviceUrlOf(text)) : err(BASE_URLS);
  },
};

const isSecureUrl = (text: string): boolean => {
  const url = URL.parse(text);
  if (url === null || !/^https?:\/\//iu.test(text) || url.username || url.password || text.includes('#')) return false;
  return url.protocol === 'https:' || isLoopbackUrl(text);
};

export const keySetUrl = checked(
  'an https URL without user, password or fragment; http only to this machine',
  isSecureUrl,
);

/** An issuer of OpenID Connect, exactly as it calls itself. */
export const issuerUrl = checked(
  'an https URL without user, password, query or fragment; http only to this machine',
  (text) => isSecureUrl(text) && !text.includes('?'),
);

const DATABASE_URLS = 'sqlite:PATH, sqlite::memory: or postgres://USER:PASSWORD@HOST:PORT/DATABASE';

/** Modes of libpq that decide whether TLS is used. With `allow` and `prefer` an attacker on the network could decide. */
const TLS_MODES = ['disable', 'require', 'verify-ca', 'verify-full'];

/** True for the URL of a PostgreSQL database. */
export const isPostgres = (url: string): boolean => /^postgres(?:ql)?:\/\//u.test(url);

/** The stores that are used where nothing names one: the demo, and the own one that takes its place. */
export const DEMO_STORE = 'data/demo.db';
export const OWN_STORE = 'data/kb.db';

/** The path of the file of a SQLite database; null for one in memory, and for PostgreSQL. */
export const sqlitePathOf = (url: string): string | null => /^sqlite:(?!:memory:$)(.+)$/su.exec(url)?.[1] ?? null;

/** `USER@/DATABASE?host=/SOCKETS` with a host, without which it is no URL. The parameter takes precedence. */
const withHost = (text: string): string =>
  URL.parse(text.replace('@/', '@localhost/'))?.searchParams.has('host') ? text.replace('@/', '@localhost/') : text;

/** The URL of a database of either kind. */
export const databaseUrl: SettingType<string> = {
  allowed: DATABASE_URLS,
  parse: (given) => {
    if (/^sqlite:~(?:\/|$)/u.test(given)) return err('the path without ~, which only a shell expands');
    if (!isPostgres(given)) return /^sqlite:./u.test(given) ? ok(given) : err(DATABASE_URLS);
    const text = URL.canParse(given) ? given : withHost(given);
    const url = URL.parse(text);
    if (url === null || (url.hostname === '' && !url.searchParams.has('host')) || url.pathname.length < 2)
      return err(DATABASE_URLS);
    // PostgreSQL clients differ in which of two values they use, so neither can be checked.
    if (new Set(url.searchParams.keys()).size < url.searchParams.size) return err('each parameter once');
    const mode = url.searchParams.get('sslmode');
    return mode === null || TLS_MODES.includes(mode) ? ok(text) : err(`sslmode=${enumerate(TLS_MODES)}`);
  },
};

// A token is sent in a header, so it has only visible ASCII characters, and no line breaks.
const isToken = (text: string): boolean => /^[\x21-\x7e]{1,1024}$/u.test(text);

export const token = checked('1 to 1024 visible ASCII characters', isToken);

/** The gateway's own tokens. */
export const tokenList = listOf('tokens of 1 to 1024 visible ASCII characters, separated by commas', isToken, true);

/** Web origins exactly as browsers send them, without path or wildcard. */
export const originList = listOf(
  'origins such as https://app.example, separated by commas',
  (origin) => /^https?:[^*]+$/u.test(origin) && URL.parse(origin)?.origin === origin,
);
