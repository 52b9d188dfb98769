import { describe, it } from 'vitest';
import { SeededRandom } from '../simulation/world/random.ts';
import { needsApiFile } from '../support/stand-in-service/api-file.ts';
import { randomReadings } from '../support/stand-in-service/readings.ts';
import { checkJobPromises } from './stand-in-job-promises.ts';
import { checkPromises } from './stand-in-promises.ts';

const COMBINATIONS = 200;

const seeds = (length: number) => Array.from({ length }, (_, index) => index + 1);

const readingsOf = (seed: number) => randomReadings(new SeededRandom(seed));

describe('over the service as the papers allow it', needsApiFile, () => {
  it.each(seeds(COMBINATIONS))('keeps every promise with the readings of the seed %i', (seed) =>
    checkPromises(readingsOf(seed)),
  );

  // Jobs wait until reads are sure, so several combinations wait at a time.
  it.concurrent.each(seeds(COMBINATIONS))('keeps every promise of jobs with the readings of the seed %i', (seed) =>
    checkJobPromises(readingsOf(seed)),
  );
});
