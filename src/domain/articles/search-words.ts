/** The characters of a text whose words are indexed. They bound the time that a write takes. */
export const INDEXED_CHARACTERS = 200_000;

/** The bytes of all words of a text. PostgreSQL refuses more than 1 MiB for title and content together. */
const MAX_WORD_BYTES = 400_000;

/** UTF-16 units. Longer words are cut. */
const MAX_WORD_LENGTH = 50;

/** The bounds of a text to search for: UTF-16 units, and words. */
const MAX_SEARCH_LENGTH = 200;
const MAX_SEARCH_WORDS = 10;

/** A run of letters, digits and marks. Chinese and Japanese have no spaces: each of their characters is a word. */
const WORD = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}]|[[\p{L}\p{N}\p{M}]--[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}]]+/gv;

/** The words of a text, each once, without regard to case, accents and forms of a character. */
function wordsOf(text: string): ReadonlySet<string> {
  const folded = text
    .normalize('NFKD')
    .replace(/[\u0300-\u036F]/gu, '')
    .toLowerCase()
    .normalize('NFC');
  const words = new Set<string>();
  for (const word of folded.match(WORD) ?? []) words.add(word.length > MAX_WORD_LENGTH ? cutWord(word) : word);
  return words;
}

const cutWord = (word: string): string => word.slice(0, MAX_WORD_LENGTH).replace(/[\uD800-\uDBFF]$/u, '');

/** The words of a title or a content, each once, between spaces. Words beyond the bounds are left out. */
export function indexedWordsOf(text: string | null): string {
  const words: string[] = [];
  let bytes = 0;
  for (const word of wordsOf((text ?? '').slice(0, INDEXED_CHARACTERS))) {
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

/**
 * The letters from which on a word also finds longer ones; the parts of a Korean syllable count as letters. Shorter
 * beginnings are those of too many words.
 */
const MIN_PREFIX_LETTERS = 3;

/** The words of a text to search for; a string says why it is none. */
export function parseSearchText(text: string): readonly SearchWord[] | string {
  if (text.length > MAX_SEARCH_LENGTH)
    return `must have at most ${MAX_SEARCH_LENGTH} characters; it has ${text.length}`;
  const words = [...wordsOf(text)];
  if (words.length === 0) return 'must have a letter or a digit; leave it out to find all articles';
  if (words.length > MAX_SEARCH_WORDS) return `must have at most ${MAX_SEARCH_WORDS} words; it has ${words.length}`;
  return words.map((word) => ({ text: word, isPrefix: word.normalize('NFD').length >= MIN_PREFIX_LETTERS }));
}
