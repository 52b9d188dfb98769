import { MAX_NOTICE_CHARS } from '../base/limits.ts';
import { idKeyOf } from '../base/text.ts';
import type { ServiceError } from '../notices.ts';

/** The separator after the part of a text that names what failed: see docs/service.md, "Bulk article update". */
const CAUSE = /\r?\nError:/u;

/** The ID of the only item that the errors of a call name as failed; null where they name none or several. */
export function articleNamedIn(
  errors: readonly ServiceError[],
  items: readonly { readonly articleId: string }[],
): string | null {
  const ids = new Map(items.map(({ articleId }) => [idKeyOf(articleId), articleId]));
  if (!ids.keys().every(isOneWord)) return null;
  const named = new Set<string>();
  for (const { description } of errors.slice(0, items.length)) {
    const [subject = '', cause] = description?.slice(0, MAX_NOTICE_CHARS).split(CAUSE, 2) ?? [];
    if (cause !== undefined) for (const word of wordsIn(JSON.stringify(subject))) if (ids.has(word)) named.add(word);
  }
  const [word = '', ...others] = named;
  return others.length === 0 && isDistinctive(word) ? (ids.get(word) ?? null) : null;
}

/** True for an ID in lower case that a word of a text can equal. */
export const isOneWord = (articleId: string): boolean => wordsIn(JSON.stringify(articleId))[0] === articleId;

/** True for an ID with a letter and a digit. Other IDs may occur in a notice by chance. */
export const isDistinctive = (articleId: string): boolean => /\p{L}/u.test(articleId) && /\d/u.test(articleId);

/**
 * Separators of words. Punctuation inside a word is a part of it: `a1-b`, `a1/b` and `a1.b` do not name `a1`. The first
 * alternative matches escapes of JSON.
 */
const WORD_SEPARATORS = /\\(?:u[\da-f]{4}|.)|[\s"'`“”‘’«»()[\]{}<>,;=*]+/u;

const END_PUNCTUATION: ReadonlySet<string | undefined> = new Set(['.', ':', '!', '?', '…']);

/** The words of a JSON text in lower case, without punctuation at either end. */
export const wordsIn = (json: string): readonly string[] =>
  json
    .toLowerCase()
    .split(WORD_SEPARATORS)
    .map(trimPunctuation)
    .filter((word) => word !== '');

function trimPunctuation(word: string): string {
  let [start, end] = [0, word.length];
  while (start < end && END_PUNCTUATION.has(word[start])) start += 1;
  while (start < end && END_PUNCTUATION.has(word[end - 1])) end -= 1;
  return word.slice(start, end);
}
