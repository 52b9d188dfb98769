import { serviceUrlOf } from '../base/network.ts';
import { err, ok, type Result } from '../base/result.ts';

/** The type of a setting. Its values have two spellings: a text of the environment, and an option of `createGateway`. */
export interface SettingType<Value> {
  /** The allowed values, for people. Empty where any text is allowed. */
  readonly allowed: string;
  /** The error says what is allowed. */
  readonly ofText: (text: string) => Result<Value, string>;
  /** Null where the value has another type in JavaScript. */
  readonly ofOption: (value: unknown) => Result<Value, string> | null;
  /** The type in JavaScript, for people. */
  readonly optionForm: string;
}

interface Spelling<Option> {
  /** Null where the text stands for no value. */
  readonly fromText: (text: string) => Option | null;
  readonly isOption: (value: unknown) => value is Option;
  readonly optionForm: string;
}

const TEXT: Spelling<string> = {
  fromText: (text) => text,
  isOption: (value): value is string => typeof value === 'string' && value !== '',
  optionForm: 'a string that is not empty',
};

const NUMBER: Spelling<number> = {
  fromText: (text) => (/^\d+$/u.test(text) ? Number(text) : null),
  isOption: (value) => typeof value === 'number',
  optionForm: 'a number',
};

/** One spelling is documented; `on` and `off` mean the same. */
const BOOLEANS: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['on', true],
  ['false', false],
  ['off', false],
]);

const BOOLEAN: Spelling<boolean> = {
  fromText: (text) => BOOLEANS.get(text) ?? null,
  isOption: (value) => typeof value === 'boolean',
  optionForm: 'true or false',
};

const isListItem = (item: unknown): boolean => typeof item === 'string' && /^[^\s,]+$/u.test(item);

const LIST: Spelling<readonly string[]> = {
  fromText: (text) => text.split(',').map((item) => item.trim()),
  isOption: (value): value is readonly string[] => Array.isArray(value) && value.every(isListItem),
  optionForm: 'an array of strings, each without commas or spaces around it',
};

/** `read` gets a value of either spelling. Its error says what is allowed. */
function createType<Value, Option>(
  { fromText, isOption, optionForm }: Spelling<Option>,
  allowed: string,
  read: (value: Option) => Result<Value, string>,
): SettingType<Value> {
  return {
    allowed,
    ofText: (text) => {
      const value = fromText(text);
      return value === null ? err(allowed) : read(value);
    },
    ofOption: (value) => (isOption(value) ? read(value) : null),
    optionForm,
  };
}

/** A type whose values of this spelling are allowed where `holds` is true. */
const checked = <Option>(
  spelling: Spelling<Option>,
  allowed: string,
  holds: (value: Option) => boolean,
): SettingType<Option> => createType(spelling, allowed, (value) => (holds(value) ? ok(value) : err(allowed)));

/** A whole number in decimal digits, from `min` to `max`. */
export const wholeNumber = (min: number, max: number) =>
  checked(
    NUMBER,
    `a whole number from ${min} to ${max}`,
    (value) => Number.isSafeInteger(value) && value >= min && value <= max,
  );

export const trueOrFalse = checked(BOOLEAN, 'true or false (on or off)', () => true);

/** One of some words. */
export function oneOf<const Word extends string>(...words: readonly Word[]): SettingType<Word> {
  const allowed = enumerate(words);
  return createType(TEXT, allowed, (text) => {
    const word = words.find((other) => other === text);
    return word === undefined ? err(allowed) : ok(word);
  });
}

const enumerate = (words: readonly string[]): string =>
  words.length === 1 ? `${words[0]}` : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;

/** One or more words, or `none`, which stands for an empty list. */
export function wordsOrNone<const Word extends string>(words: readonly Word[], hint = '') {
  const allowed = `${words.join(', ')}, separated by commas, or none${hint}`;
  return createType(LIST, allowed, (items): Result<readonly Word[], string> => {
    if (items.length === 1 && items[0] === 'none') return ok([]);
    const known = items.flatMap((item) => words.find((word) => word === item) ?? []);
    return known.length === items.length ? ok(known) : err(allowed);
  });
}

/** Hosts or addresses, separated by commas or spaces, as all programs read `NO_PROXY`. */
export const hostList = checked(
  { ...LIST, fromText: (text) => text.split(/[\s,]+/u).filter((host) => host !== '') },
  '',
  () => true,
);

export const anyText = checked(TEXT, '', () => true);

export const shortText = checked(TEXT, 'up to 16384 characters', (text) => text.length <= 16_384);

/** In any case, as all programs with OpenTelemetry read it. */
export const trueOrFalseText = checked(TEXT, 'true or false', (text) => /^(?:true|false)$/iu.test(text));

/** A file that is opened at the start, which names what is wrong with it. */
export const filePath = checked(TEXT, 'the path of a file', (path) => !path.includes('\0'));

/** A name or an address to listen on. */
export const hostName = checked(TEXT, 'a host name or an IP address', (host) => /^[\w.:%-]+$/u.test(host));

/**
 * True for addresses that only this machine can reach.
 * @internal Exported for tests.
 */
export const isLoopback = (host: string): boolean => /^(localhost|127(\.\d{1,3}){3}|::1)$/iu.test(host);

/** The URL of a host that others name with its path. */
export const endpointUrl = checked(
  TEXT,
  'an http or https URL',
  (text) => /^https?:\/\//iu.test(text) && URL.canParse(text),
);

const BASE_URLS = 'an http or https URL without user, password, query or fragment';

/** The URL of a service, as everything names it that belongs to one. */
export const baseUrl = createType(TEXT, BASE_URLS, (text): Result<string, string> => {
  const url = URL.parse(text);
  const isBase = url !== null && /^https?:\/\//iu.test(text) && !url.username && !url.password && !/[?#]/u.test(text);
  return isBase ? ok(serviceUrlOf(text)) : err(BASE_URLS);
});

export const keySetUrl = checked(
  TEXT,
  'an https URL without user, password or fragment; http only to this machine',
  (text) => {
    const url = URL.parse(text);
    if (url === null || !/^https?:\/\//iu.test(text) || url.username || url.password || text.includes('#'))
      return false;
    return url.protocol === 'https:' || isLoopback(url.hostname.replace(/^\[|\]$/gu, ''));
  },
);

const DATABASE_URLS = 'sqlite:PATH, sqlite::memory: or postgres://USER:PASSWORD@HOST:PORT/DATABASE';

/**
 * Modes of libpq that fix whether TLS is used. With `allow` and `prefer` an attacker on the network could decide it.
 */
const TLS_MODES = ['disable', 'require', 'verify-ca', 'verify-full'];

export const isPostgres = (url: string): boolean => /^postgres(?:ql)?:\/\//u.test(url);

/** The path of the file of a SQLite database; null for one in memory, and for PostgreSQL. */
export const sqlitePathOf = (url: string): string | null => /^sqlite:(?!:memory:$)(.+)$/su.exec(url)?.[1] ?? null;

/** The URL of a database, of either kind. */
export const databaseUrl = createType(TEXT, DATABASE_URLS, (text): Result<string, string> => {
  if (!isPostgres(text)) return /^sqlite:./u.test(text) ? ok(text) : err(DATABASE_URLS);
  const url = URL.parse(text);
  if (url === null || (url.hostname === '' && !url.searchParams.has('host')) || url.pathname.length < 2)
    return err(DATABASE_URLS);
  // PostgreSQL clients differ in which of two values they use, so checking one of them would prove nothing.
  if (new Set(url.searchParams.keys()).size < url.searchParams.size) return err('each parameter once');
  const mode = url.searchParams.get('sslmode');
  return mode === null || TLS_MODES.includes(mode) ? ok(text) : err(`sslmode=${enumerate(TLS_MODES)}`);
});

// Tokens are sent in a header, so line breaks must be impossible: visible ASCII only.
const isToken = (text: string): boolean => /^[\x21-\x7e]{1,1024}$/u.test(text);

export const token = checked(TEXT, '1 to 1024 visible ASCII characters', isToken);

/** The gateway's own tokens. */
export const tokenList = checked(LIST, 'tokens of 1 to 1024 visible ASCII characters, separated by commas', (tokens) =>
  tokens.every(isToken),
);

const isOrigin = (text: string): boolean => /^https?:[^*]+$/u.test(text) && URL.parse(text)?.origin === text;

/** Web origins exactly as browsers send them, without path or wildcard. */
export const originList = checked(LIST, 'origins such as https://app.example, separated by commas', (origins) =>
  origins.every(isOrigin),
);
