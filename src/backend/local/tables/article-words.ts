import { setImmediate as nextTick } from 'node:timers/promises';
import { indexedWordsOf } from '../../../domain/articles/search-words.ts';

interface Texts {
  readonly title: string | null;
  readonly content: string | null;
}

/** The characters between two pauses for other work of the event loop: some 10 ms to find words, and 50 to index them. */
const CHARACTERS_PER_STEP = 100_000;

/** The words of the texts of each row; null for a text that is null. */
export async function searchWordsOf(rows: readonly Texts[]): Promise<readonly Texts[]> {
  const words: Texts[] = [];
  let characters = 0;
  for (const { title, content } of rows) {
    characters += (title?.length ?? 0) + (content?.length ?? 0);
    words.push({
      title: title === null ? null : indexedWordsOf(title),
      content: content === null ? null : indexedWordsOf(content),
    });
    if (characters < CHARACTERS_PER_STEP) continue;
    characters = 0;
    await nextTick();
  }
  return words;
}

/** Cuts rows with words into parts, each for one statement: SQLite indexes its words on the event loop. */
export function* wordRowsInSteps<T extends Texts>(rows: readonly T[]): Generator<readonly T[]> {
  let part: T[] = [];
  let characters = 0;
  for (const row of rows) {
    part.push(row);
    characters += (row.title?.length ?? 0) + (row.content?.length ?? 0);
    if (characters < CHARACTERS_PER_STEP) continue;
    yield part;
    part = [];
    characters = 0;
  }
  if (part.length > 0) yield part;
}
