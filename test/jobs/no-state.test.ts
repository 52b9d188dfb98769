import { existsSync } from 'node:fs';
import { expect, it } from 'vitest';
import { mayHaveState } from '../../src/jobs/state/state-file.ts';
import { openGateway, openJobScene, stateUrl, unwrap } from './harness.ts';

it('questions about jobs create no state where there is none', async () => {
  const { backend, caller, service } = await openJobScene(['a1']);
  const url = stateUrl();
  const credentials = { serviceUrl: service.url, ownToken: null };
  const { articleUpdateJobs: jobs } = openGateway({ url, backend, credentials, hasState: () => mayHaveState(url) });
  expect(await jobs.find(caller, 'j1')).toEqual({ ok: true, value: null });
  expect(unwrap(await jobs.list(caller, { limit: 5 }))).toMatchObject({ edges: [], hasNextPage: false });
  for (const answer of [await jobs.cancel(caller, 'j1'), await jobs.resume(caller, 'j1')]) {
    expect(answer).toMatchObject({ ok: false, error: { kind: 'job-not-found' } });
  }
  expect(existsSync(url.replace('sqlite:', ''))).toBe(false);
  const part = { idempotencyKey: 'k', startIndex: 0, moreToCome: true, updates: [{ articleId: 'a1', title: 'New' }] };
  unwrap(await jobs.submit(caller, part));
  expect(existsSync(url.replace('sqlite:', ''))).toBe(true);
  expect(unwrap(await jobs.list(caller, { limit: 5 })).edges).toHaveLength(1);
});
