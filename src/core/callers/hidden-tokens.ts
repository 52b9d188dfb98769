import { LRUCache } from 'lru-cache';

/** The shortest hidden token, in characters. A shorter one may be part of a text by chance. */
export const MIN_HIDDEN_TOKEN_LENGTH = 8;

/** The most parts of credentials that are searched for in a text. No real credential has as many. */
const MAX_TOKENS = 32;

/** The text that replaces a token. */
export const HIDDEN_TOKEN = '[API token]';

export const CALLER_HEADERS = ['api_token', 'x-api-token', 'authorization'] as const;

/** Headers whose values let their holder in. */
export const CREDENTIAL_HEADERS: readonly string[] = [...CALLER_HEADERS, 'proxy-authorization'];

/** The tokens that a client sent, and the service credential. No text with one of them is logged or sent on. */
export class HiddenTokens {
  #tokens: readonly string[] = [];
  /** True where a client sent more credentials than are searched for. */
  #areTooMany = false;
  /** Finds the credentials of the headers on demand; null afterwards. Most requests have no text that may contain one. */
  #addHeaders: ((tokens: HiddenTokens) => void) | null;

  constructor(addHeaders: ((tokens: HiddenTokens) => void) | null = null) {
    this.#addHeaders = addHeaders;
  }

  add(token: unknown): void {
    if (typeof token !== 'string' || token.length < MIN_HIDDEN_TOKEN_LENGTH || this.#tokens.includes(token)) return;
    if (this.#tokens.length >= MAX_TOKENS) this.#areTooMany = true;
    else this.#tokens = [...this.#tokens, token];
  }

  /** Adds the parts of a header with credentials: the whole value, and each part that may be a secret. */
  addHeader(name: string, value: string): void {
    if (value === '' || !CREDENTIAL_HEADERS.includes(name.toLowerCase())) return;
    for (const token of credentialsIn(value)) this.add(token);
  }

  areIn(text: string): boolean {
    return this.#find().some((token) => text.includes(token)) || this.#areTooMany;
  }

  /** True when the path has one of them, also percent-encoded. */
  areInPath(path: string): boolean {
    return this.areIn(path) || (path.includes('%') && this.areIn(decodeBytes(path)));
  }

  /** Replaces the tokens in a foreign text. */
  mask(text: string): string {
    const tokens = this.#find().toSorted((one, other) => other.length - one.length);
    return this.#areTooMany
      ? HIDDEN_TOKEN
      : tokens.reduce((masked, token) => masked.replaceAll(token, HIDDEN_TOKEN), text);
  }

  #find(): readonly string[] {
    const addHeaders = this.#addHeaders;
    this.#addHeaders = null;
    addHeaders?.(this);
    return this.#tokens;
  }
}

/** Characters of the headers that are kept with their credentials, which is enough for some thousand clients. */
const MAX_RECENT_CHARACTERS = 1_000_000;

/** The credentials of recent headers. Clients repeat them, and finding them costs as much as parsing a body. */
const recentCredentials = new LRUCache<string, readonly string[]>({
  maxSize: MAX_RECENT_CHARACTERS,
  sizeCalculation: (tokens, value) => tokens.reduce((sum, { length }) => sum + length, value.length),
});

/** The whole value and its parts, each once, and at most one more than are searched for. */
function credentialsIn(value: string): readonly string[] {
  const recent = recentCredentials.get(value);
  if (recent !== undefined) return recent;
  const parts = new Set<string>();
  for (const part of partsOf(value)) {
    if (part.length >= MIN_HIDDEN_TOKEN_LENGTH) parts.add(part);
    if (parts.size > MAX_TOKENS) break;
  }
  const tokens = [...parts];
  recentCredentials.set(value, tokens);
  return tokens;
}

/** Parameters of schemes that are public, and that texts contain anyway, such as a path in `uri`. */
const PUBLIC_PARAMETER = /^(?:realm|uri|qop|algorithm|nc|charset|userhash|signedheaders)=/iu;

/** The whole value of a header, and its credentials: `Basic eDp5`, `Digest response="…", …`, `AWS user:signature`. */
function* partsOf(value: string): Generator<string> {
  yield value;
  for (const word of value.split(/[\s,;]+/u)) {
    if (PUBLIC_PARAMETER.test(word)) continue;
    yield word;
    yield word.replace(/(?<!=)=+$/u, '');
    const equals = word.indexOf('=');
    if (equals !== -1) yield word.slice(equals + 1).replaceAll('"', '');
    const colon = word.indexOf(':');
    if (colon !== -1) yield word.slice(colon + 1);
    yield* decodedPair(word);
  }
}

/** The user and the password of `Basic`, which are in Base64. */
function* decodedPair(word: string): Generator<string> {
  const pair = /^[\w+/-]{8,}={0,2}$/u.test(word) ? Buffer.from(word, 'base64').toString('latin1') : '';
  const colon = /^[\x20-\x7e\x80-\xff]+$/u.test(pair) ? pair.indexOf(':') : -1;
  if (colon === -1) return;
  yield pair;
  yield pair.slice(colon + 1);
}

/** Decodes each byte to one character, as node:http reads headers. */
const decodeBytes = (path: string): string =>
  path.replace(/%([\da-f]{2})/giu, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)));
