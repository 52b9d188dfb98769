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
];

const MAX_LENGTH = 9_900_000;

export const createText = (random: Random): LongText => ({
  pattern: pick(random, PATTERNS),
  length: magnitude(random, chance(random, 0.1) ? MAX_LENGTH : 3_000),
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
