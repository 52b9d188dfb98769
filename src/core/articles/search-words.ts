import { MAX_SEARCH_LENGTH } from '../base/limits.ts';
import { textProblem } from '../base/text.ts';

/** The characters of a text whose words are indexed, which bound the time of a write. */
export const INDEXED_CHARACTERS = 200_000;

/** The bytes of all words of a text. PostgreSQL refuses more than 1 MiB for title and content together. */
const MAX_WORD_BYTES = 400_000;

/** UTF-16 units. Longer words are cut. */
const MAX_WORD_LENGTH = 50;

/** A run of letters, digits and combining marks. Each Chinese or Japanese character is a word. */
const WORD = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}]|[[\p{L}\p{N}\p{M}]--[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}]]+/gv;

/**
 * Combining marks, and the two letters that decompose into one. Sorting them takes the square of the length of a run,
 * so runs are cut at the length of Unicode's "Stream-Safe Text Format". Runs shorter than 8 are ignored.
 */
const MARKS = /[\p{M}\uFF9E\uFF9F]{8,}/gu;
const MAX_MARKS = 30;

/** The UTF-16 units that a text may have after decomposition. This is enough for Korean, whose syllables have up to 3. */
const MAX_DECOMPOSED_LENGTH = 3 * INDEXED_CHARACTERS;

/** The most UTF-16 units into which one unit is decomposed (U+FDFA). */
const MAX_EXPANSION = 18;

/** Parts of a text that can be decomposed separately: none begins with a combining mark, which decomposition might move. */
const PARTS = /.{1,10000}[\p{M}\uFF9E\uFF9F]*/gsu;

const ASCII = /^[\0-\x7F]*$/u;

/** Texts of Latin letters, punctuation, arrows and operators, which have no combining marks. */
const LATIN = /^[\0-\u024F\u2000-\u206F\u2190-\u22FF]*$/u;

/** Finds the same words as `WORD` in a folded text of these characters, and takes less time, since it tests no Unicode property. */
const LATIN_WORD = /[0-9a-z\xDF-\xF6\xF8-\u024F]+/g;

/** The words of a text, each once, without regard to case, accents and forms of a character. */
function wordsOf(text: string): ReadonlySet<string> {
  const folded = ASCII.test(text) ? text.toLowerCase() : decompose(text).toLowerCase().normalize('NFC');
  const words = new Set<string>();
  for (const word of folded.match(LATIN.test(folded) ? LATIN_WORD : WORD) ?? [])
    words.add(word.length > MAX_WORD_LENGTH ? cutWord(word) : word);
  return words;
}

/** Decomposes a text and removes its accents. The result has at most `MAX_DECOMPOSED_LENGTH` units, and one part more. */
function decompose(text: string): string {
  const cut = LATIN.test(text) ? text : cutMarks(text);
  if (cut.length * MAX_EXPANSION <= MAX_DECOMPOSED_LENGTH) return decomposePart(cut);
  let decomposed = '';
  for (const [part] of cut.matchAll(PARTS)) {
    if (decomposed.length > MAX_DECOMPOSED_LENGTH) break;
    decomposed += decomposePart(part);
  }
  return decomposed;
}

const decomposePart = (part: string): string => part.normalize('NFKD').replace(/[\u0300-\u036F]/gu, '');

/** @internal Exported for the test that all characters are known that begin with a mark. */
export const cutMarks = (text: string): string =>
  text.replace(MARKS, (run) =>
    Array.from(run.slice(0, 2 * MAX_MARKS))
      .slice(0, MAX_MARKS)
      .join(''),
  );

const cutWord = (word: string): string => word.slice(0, MAX_WORD_LENGTH).replace(/[\uD800-\uDBFF]$/u, '');

/** The most bytes of words for a UTF-16 unit of a text: 3 for each that it is decomposed into, and a space. */
const MAX_BYTES_PER_UNIT = 4 * MAX_EXPANSION;

/** The words of a title or a content, each once, separated by spaces. Words beyond the bounds are left out. */
export function indexedWordsOf(text: string | null): string {
  const indexed = (text ?? '').slice(0, INDEXED_CHARACTERS);
  const found = wordsOf(indexed);
  if (MAX_BYTES_PER_UNIT * indexed.length <= MAX_WORD_BYTES) return [...found].join(' ');
  const words: string[] = [];
  let bytes = 0;
  for (const word of found) {
    bytes += Buffer.byteLength(word) + 1;
    if (bytes > MAX_WORD_BYTES) break;
    words.push(word);
  }
  return words.join(' ');
}

/** A word to search for: a whole word or, as a prefix, the beginning of one. */
export interface SearchWord {
  readonly text: string;
  readonly isPrefix: boolean;
}

/** A word of so many letters also finds longer ones; the parts of a Korean syllable count as letters. */
const MIN_PREFIX_LETTERS = 3;

/** The words of a text to search for, or the problem of the text as a string. */
export function parseSearchText(text: string): readonly SearchWord[] | string {
  if (text.length > MAX_SEARCH_LENGTH)
    return `must have at most ${MAX_SEARCH_LENGTH} characters; it has ${text.length}`;
  const problem = textProblem(text);
  if (problem !== null) return problem;
  const words = [...wordsOf(text)];
  if (words.length === 0) return 'must have a letter or a digit; leave it out to find all articles';
  return words.map((word) => ({ text: word, isPrefix: word.normalize('NFD').length >= MIN_PREFIX_LETTERS }));
}
