import { expect, it } from 'vitest';
import { err } from '../../../src/core/base/result.ts';
import { rateLimited } from '../../../src/core/errors.ts';
import { reset } from '../../support/faulty-service.ts';
import { unapplied } from '../../support/writable-service.ts';
import { openGateway, openJobScene, outcomesOf, stateUrl, submit, untilJob } from '../harness.ts';

it('a read-back of two articles ends where the rate limit never has calls for both', async () => {
  const { backend, caller, service, writable } = await openJobScene(['a0', 'a1']);
  const articlesOfUpdates: typeof backend.articlesOfUpdates = async (reader, updates, selection) => {
    if (updates.length === 1) return backend.articlesOfUpdates(reader, updates, selection);
    reader.request.report.add({ kind: 'read-call' });
    return err(rateLimited(1));
  };
  const credentials = { serviceUrl: service.url, ownToken: null };
  const jobs = openGateway({ url: stateUrl(), backend: { ...backend, articlesOfUpdates }, credentials });
  writable.onNextWrites(unapplied(reset()));
  const { jobId } = await submit({ jobs, caller }, [
    { articleId: 'a0', content: 'New' },
    { articleId: 'a1', content: 'New' },
  ]);
  await untilJob({ jobs, caller }, jobId, { state: 'COMPLETED', counts: { unknown: 2 } });
  expect(await outcomesOf({ jobs, caller }, jobId)).toMatchObject([{ readBack: 'DIFFERS' }, { readBack: 'DIFFERS' }]);
});
