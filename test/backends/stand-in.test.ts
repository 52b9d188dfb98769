import { describe, it } from 'vitest';
import { needsApiFile } from '../support/stand-in-service/api-file.ts';
import { singleReadings } from '../support/stand-in-service/readings.ts';
import { checkJobPromises } from './stand-in-job-promises.ts';
import { checkPromises } from './stand-in-promises.ts';

describe('over the service as the papers allow it', needsApiFile, () => {
  it.each(singleReadings())('keeps every promise with $name', ({ readings }) => checkPromises(readings));

  it.each(singleReadings())('keeps every promise of jobs with $name', { tags: 'long' }, ({ readings }) =>
    checkJobPromises(readings),
  );
});
