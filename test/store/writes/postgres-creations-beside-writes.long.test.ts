import { it } from 'vitest';
import { holdShortWaits } from './creations-beside-writes.ts';

it(
  'a short write waits for a part of one create, while three callers create 1,000 articles over PostgreSQL',
  () => holdShortWaits({ words: 200, rounds: 1 }),
  600_000,
);
