import type { Notice, ServiceError } from '../../domain/notices.ts';

/** UTF-16 code units of a notice with its data that are looked through; nothing a service says is near it. */
export const MAX_CHARS_OF_ONE = 10_000;

/**
 * All that a notice says but for its code, each text by itself: a service may name articles in its data as well as in
 * words. Null where that is too much to look through.
 */
export function textsOf(notice: Notice | ServiceError): readonly string[] | null {
  const texts: string[] = [];
  const rest: unknown[] = [notice.description, notice.extensionData, 'customData' in notice ? notice.customData : null];
  let room = MAX_CHARS_OF_ONE;
  while (rest.length > 0) {
    const value = rest.pop();
    const parts = partsOf(value);
    const text = parts === null ? String(value ?? '') : '';
    room -= parts?.length ?? text.length;
    if (room < 0) return null;
    if (text !== '') texts.push(text);
    rest.push(...(parts ?? []));
  }
  return texts;
}

/** The members of a list or an object with their names; null of anything else. */
function partsOf(value: unknown): readonly unknown[] | null {
  if (typeof value !== 'object' || value === null) return null;
  return Array.isArray(value) ? value : Object.entries(value).flat();
}

/** The characters around a word. Punctuation within a word is part of it: `a1` is not named by `a1-b`, `a1/b` or `a1.b`. */
const BETWEEN = /[\s"'`“”‘’«»()[\]{}<>,;=*]+/u;

const AT_THE_END: ReadonlySet<string | undefined> = new Set(['.', ':', '!', '?', '…']);

/** The words of a text in lower case, without the punctuation at their ends. */
export const wordsIn = (text: string): readonly string[] =>
  text
    .toLowerCase()
    .split(BETWEEN)
    .map(withoutEnds)
    .filter((word) => word !== '');

function withoutEnds(word: string): string {
  let [start, end] = [0, word.length];
  while (start < end && AT_THE_END.has(word[start])) start += 1;
  while (start < end && AT_THE_END.has(word[end - 1])) end -= 1;
  return word.slice(start, end);
}
