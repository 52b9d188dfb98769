import { it } from 'vitest';
import { holdShortWaits } from './creations-beside-writes.ts';

/** With 1,000 words, the texts of a request have almost as many bytes as a body may have. */
it.each([
  { words: 200, rounds: 2 },
  { words: 1_000, rounds: 1 },
])(
  'a short write waits for a part of one create, while three callers create 1,000 articles of $words words over SQLite',
  holdShortWaits,
  600_000,
);
