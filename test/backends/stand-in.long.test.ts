import { describe, it } from 'vitest';
import { SeededRandom } from '../simulation/world/random.ts';
import { needsApiFile } from '../support/stand-in-service/api-file.ts';
import { randomReadings } from '../support/stand-in-service/readings.ts';
import { checkJobPromises } from './stand-in-job-promises.ts';
import { checkPromises } from './stand-in-promises.ts';

const COMBINATIONS = 200;

describe('over the service as the papers allow it', needsApiFile, () => {
  it.each(Array.from({ length: COMBINATIONS }, (_, seed) => seed + 1))(
    'keeps every promise with the readings of the seed %i',
    async (seed) => {
      const readings = randomReadings(new SeededRandom(seed));
      await checkPromises(readings);
      await checkJobPromises(readings);
    },
  );
});
