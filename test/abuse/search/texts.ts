import type { Random } from '../mutants.ts';
import { chance, magnitude, pick } from './random.ts';

/** A text that may be very long, told in few words. */
export interface LongText {
  readonly pattern: string;
  readonly length: number;
  /** Whether it comes as an ID or a cursor would, in base64url. */
  readonly isPacked: boolean;
}

/** What has been hard on parsers, messages, searches and regular expressions, or may be. */
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

const MOST_LENGTH = 9_900_000;

export const createText = (random: Random): LongText => ({
  pattern: pick(random, PATTERNS),
  length: magnitude(random, chance(random, 0.1) ? MOST_LENGTH : 3_000),
  isPacked: chance(random, 0.2),
});

export function mutateText(random: Random, text: LongText): LongText {
  const length = Math.max(1, Math.min(MOST_LENGTH, Math.round(text.length * 4 ** (2 * random() - 1))));
  const isPacked = chance(random, 0.1) ? !text.isPacked : text.isPacked;
  return { pattern: chance(random, 0.2) ? pick(random, PATTERNS) : text.pattern, length, isPacked };
}

export function writeText({ pattern, length, isPacked }: LongText): string {
  if (!isPacked) return pattern.repeat(Math.ceil(length / pattern.length)).slice(0, length);
  const bytes = Math.ceil((length * 3) / 4);
  return Buffer.from(pattern.repeat(Math.ceil(bytes / pattern.length)))
    .toString('base64url')
    .slice(0, length);
}
