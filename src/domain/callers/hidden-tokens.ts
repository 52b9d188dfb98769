/** Characters. A shorter token may be part of a text by chance. */
export const MIN_HIDDEN_TOKEN_LENGTH = 8;

/** The tokens that a client sent or is lent. No text with one of them is logged or sent on. */
export class HiddenTokens {
  #tokens: readonly string[] = [];

  add(token: unknown): void {
    if (typeof token !== 'string' || token.length < MIN_HIDDEN_TOKEN_LENGTH || this.#tokens.includes(token)) return;
    this.#tokens = [...this.#tokens, token];
  }

  areIn(text: string): boolean {
    return this.#tokens.some((token) => text.includes(token));
  }

  /** True when the path has one of them, also with characters written as `%` and two digits. */
  areInPath(path: string): boolean {
    return this.areIn(path) || (path.includes('%') && this.areIn(decodeBytes(path)));
  }
}

/** Each byte becomes one character, as node:http reads headers. */
const decodeBytes = (path: string): string =>
  path.replace(/%([\da-f]{2})/giu, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)));
