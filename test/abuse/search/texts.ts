import type { Random } from '../mutants.ts';
import { chance, magnitude, pick } from './random.ts';

/** A compact description of a text that may be very long. */
export interface LongText {
  readonly pattern: string;
  readonly length: number;
  /** True when the text is encoded in base64url, as IDs and cursors are. */
  readonly isBase64: boolean;
}

/** Patterns that may be expensive for parsers, messages, searches and regular expressions. */
const PATTERNS = [
  'a',
  '!',
  ' ',
  '\n',
  '9',
  '0.',
  '-',
  '%_',
  '%25',
  './',
  '[',
  '{"a":',
  '["ReaderGroup",',
  '"',
  '\\',
  '\\u0000',
  '\0',
  '\ud800',
  '\u{1f600}',
  'é',
  '\u2028',
  '\u202e',
  '\u2066',
  '\u061c',
  '\u0085',
  '\u009b2J',
  '\u001b[2J',
  '\u007f',
  ' Did you mean ',
  ' Did you mean "a"?',
  'readerGroup ',
  'must not be ',
  '$input',
  ', ',
  'e1',
  'T00:00:00Z',
  '@example.com',
  '12:r',
  // Marks of several classes, and characters that become marks or many others once they are decomposed.
  '\u0300\u0323',
  '\u0f73\u0f75',
  '\uff9e\u0591',
  'a\u0591\u05b0\u0323',
  '\u0344',
  '\u0390',
  '\ufdfa',
  '\u{1d15e}',
  '\u1100\u1161\u11a8',
  '\u{1f468}\u200d',
  '\u202e',
  '",\n',
  ';',
];

const MAX_LENGTH = 9_900_000;

const LENGTHS = [3_000, 3_000, 3_000, 3_000, 3_000, 3_000, 3_000, 400_000, 400_000, MAX_LENGTH];

export const createText = (random: Random): LongText => ({
  pattern: pick(random, PATTERNS),
  length: magnitude(random, pick(random, LENGTHS)),
  isBase64: chance(random, 0.2),
});

export function mutateText(random: Random, text: LongText): LongText {
  const length = Math.max(1, Math.min(MAX_LENGTH, Math.round(text.length * 4 ** (2 * random() - 1))));
  const isBase64 = chance(random, 0.1) ? !text.isBase64 : text.isBase64;
  return { pattern: chance(random, 0.2) ? pick(random, PATTERNS) : text.pattern, length, isBase64 };
}

export function writeText({ pattern, length, isBase64 }: LongText): string {
  if (!isBase64) return pattern.repeat(Math.ceil(length / pattern.length)).slice(0, length);
  const bytes = Math.ceil((length * 3) / 4);
  return Buffer.from(pattern.repeat(Math.ceil(bytes / pattern.length)))
    .toString('base64url')
    .slice(0, length);
}
