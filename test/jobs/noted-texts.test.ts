import { describe, expect, it, onTestFinished } from 'vitest';
import type { JobPart } from '../../src/core/articles/article-update-jobs.ts';
import { systemClock } from '../../src/core/base/clock.ts';
import { silentLog } from '../../src/core/base/log.ts';
import { withPipeline } from '../../src/core/writes/pipeline.ts';
import { mergeWrites } from '../../src/service/merging/merging.ts';
import { openRestBackend } from '../../src/service/rest-backend.ts';
import { openStore, caller as storeCaller } from '../store/store.ts';
import { callerWith } from '../support/rest-scene.ts';
import { needsApiFile } from '../support/stand-in-service/api-file.ts';
import { latestOf } from '../support/stand-in-service/knowledge.ts';
import { STAND_IN_TOKEN, type StandInOptions, StandInService } from '../support/stand-in-service/stand-in-service.ts';
import { type JobScene, openGateway, outcomesOf, SETTINGS, stateUrl, untilJob, unwrap } from './harness.ts';

/** What services make of texts, and then show in reads. */
const NORMALISATIONS = {
  trimmed: (text: string) => text.trim(),
  'with other line ends': (text: string) => text.replaceAll('\r\n', '\n'),
  'in another Unicode form': (text: string) => text.normalize('NFC'),
  'with a new line at the end': (text: string) => `${text.trimEnd()}\n`,
  'as rewritten HTML': (text: string) => text.replaceAll('<br>', '<br />').replaceAll('<p>', '<p dir="auto">'),
  'with entities': (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;'),
};

const TITLE = ' Cafe\u0301 & tea ';
const CONTENT = '<p>One<br>\r\ntwo & three</p>\r\n ';

const UPDATES: JobPart['updates'] = [
  { articleId: 'draft', title: TITLE, content: CONTENT },
  { articleId: 'html', content: CONTENT },
  { articleId: 'hidden-draft', languageCode: 'fr', content: CONTENT },
  { articleId: 'hidden-draft', title: TITLE },
  { articleId: 'draft-over-public', content: CONTENT },
  { articleId: 'draft-over-public', languageCode: 'fr', title: TITLE },
];

type Scene = Pick<JobScene, 'jobs' | 'caller'>;

async function openScene(options: StandInOptions = {}) {
  const service = await StandInService.open(options);
  const rest = openRestBackend({
    ...{ baseUrl: service.url, timeoutMs: 60_000, bulkSize: 100, maxReadCalls: 1_000, log: silentLog },
    // The time of the stand-in passes with calls, and its reads show each write at once.
    readLagsMs: { list: 0, article: 0 },
  });
  onTestFinished(async () => {
    await rest.close();
    await service.close();
  });
  const jobs = openGateway({
    url: stateUrl(),
    backend: withPipeline(rest, { merging: mergeWrites({ maxItems: 100 }) }),
    credentials: { serviceUrl: service.url, ownToken: null },
    settings: { ...SETTINGS, bulkSize: 100 },
    clock: systemClock,
  });
  return { service, jobs, caller: callerWith(STAND_IN_TOKEN, 3_600_000) };
}

const COMPLETED = { state: 'COMPLETED' };

async function run({ jobs, caller }: Scene, updates: JobPart['updates'], part: Partial<JobPart> = {}) {
  const whole = { idempotencyKey: 'job', startIndex: 0, moreToCome: false, keepBefore: 'ALWAYS', ...part } as const;
  const { jobId } = unwrap(await jobs.articleUpdateJobs.submit(caller, { ...whole, updates })).job;
  await untilJob({ jobs, caller }, jobId, { ...COMPLETED, counts: { updated: updates.length } });
  return jobId;
}

async function undo({ jobs, caller }: Scene, jobId: string, more: object = {}) {
  const reverted = unwrap(await jobs.articleUpdateJobs.revert(caller, { jobId, idempotencyKey: 'undo', ...more }));
  await untilJob({ jobs, caller }, reverted.job.jobId, COMPLETED);
  return outcomesOf({ jobs, caller }, reverted.job.jobId);
}

const textsOf = ({ knowledge }: StandInService) =>
  UPDATES.map(({ articleId, languageCode }) => {
    const text = knowledge.articles.get(articleId)?.texts.get(languageCode ?? 'en');
    return text && latestOf(text);
  });

/** A colleague gives a text another title, past the gateway. */
async function edit(service: StandInService, path: string, members: object) {
  const response = await fetch(`${service.url}/v2/Articles/${path}`, {
    method: 'PUT',
    headers: { api_token: STAND_IN_TOKEN, 'content-type': 'application/json' },
    body: JSON.stringify(members),
  });
  expect(response.status).toBe(200);
}

describe.each(Object.entries(NORMALISATIONS))('over a service that stores texts %s', needsApiFile, (_name, stores) => {
  it('puts all back where nobody else wrote', async () => {
    const scene = await openScene({ stores });
    const before = textsOf(scene.service);
    const jobId = await run(scene, UPDATES);
    const outcomes = await undo(scene, jobId);
    expect(outcomes.map(({ kind, details }) => (kind === 'updated' ? kind : details))).toEqual(
      UPDATES.map(() => 'updated'),
    );
    const texts = textsOf(scene.service);
    for (const [index, { title, content }] of UPDATES.entries()) {
      const was = before[index];
      if (title !== undefined) expect(texts[index]?.title).toBe(stores(was?.title ?? ''));
      if (content !== undefined) expect(texts[index]?.body).toBe(stores(was?.body ?? ''));
      expect(texts[index]?.number).toBe(was?.number);
    }
    expect(scene.service.invalid).toEqual([]);
  });

  it('puts back nothing where a colleague wrote, and says what is there since when', async () => {
    const scene = await openScene({ stores });
    const jobId = await run(scene, UPDATES);
    for (const { articleId, languageCode, title } of UPDATES)
      await edit(
        scene.service,
        `${articleId}/${languageCode ?? 'en'}`,
        title === undefined ? { content: 'By an editor' } : { title: 'By an editor' },
      );
    const written = textsOf(scene.service);
    const outcomes = await undo(scene, jobId);
    for (const outcome of outcomes) {
      expect(outcome).toMatchObject({ kind: 'not-attempted', reason: 'CHANGED_SINCE' });
      expect(outcome.details).toMatch(/ was expected, and "By an editor/u);
      expect(outcome.details).toMatch(/it was last changed at 2026-01-01T/u);
      expect(outcome.details).not.toMatch(/somebody|someone/iu);
    }
    expect(textsOf(scene.service)).toEqual(written);
  });
});

const stores = NORMALISATIONS['as rewritten HTML'];

describe('a revert knows again what its job has left', needsApiFile, () => {
  it('in the draft that was made of a published version', async () => {
    const { service, ...scene } = await openScene({ stores });
    const update = { articleId: 'public', title: 'New', content: CONTENT };
    const ifPublished = { kind: 'FORK', userId: 'user-1' } as const;
    const jobId = await run(scene, [update], { ifPublished });
    expect(await undo(scene, jobId, { ifPublished })).toMatchObject([{ kind: 'updated' }]);
    const versions = service.article('public').texts.get('en')?.versions ?? [];
    expect(versions).toMatchObject([
      { number: 1, title: 'public en' },
      { number: 2, title: 'public en', body: 'Text of public en.' },
    ]);
  });

  it('in the version that the service has made, for all items of the text', async () => {
    const { service, ...scene } = await openScene({ stores, readings: { published: 'makes a version' } });
    const updates = [
      { articleId: 'public', title: 'One', versionNumber: 1 },
      { articleId: 'public', content: CONTENT },
      { articleId: 'hidden-public', content: CONTENT },
      { articleId: 'hidden-public', content: `${CONTENT}<p>More</p>` },
    ];
    const jobId = await run(scene, updates);
    expect(await undo(scene, jobId)).toMatchObject([{ kind: 'updated' }, { kind: 'updated' }]);
    for (const id of ['public', 'hidden-public'])
      expect(service.article(id).texts.get('en')?.versions).toMatchObject([
        { number: 1, title: `${id} en`, body: `Text of ${id} en.` },
        { number: 2, title: `${id} en`, body: `Text of ${id} en.` },
      ]);
  });

  it('after it was published', async () => {
    const { service, ...scene } = await openScene({ stores });
    const publication = { userId: 'user-1', message: null };
    const updates = ['draft', 'public', 'hidden-draft'].map((articleId) => ({ articleId, content: CONTENT }));
    const jobId = await run(scene, updates.slice(0, 1).concat(updates.slice(2)), { publication });
    const outcomes = await undo(scene, jobId, { ifPublished: { kind: 'FORK', userId: 'user-1' } });
    expect(outcomes).toMatchObject([
      { kind: 'updated', draftVersionNumber: 2 },
      { kind: 'updated', draftVersionNumber: 2 },
    ]);
    const text = service.article('draft').texts.get('en');
    expect(text?.versions).toMatchObject([{ number: 1 }, { number: 2, body: 'Text of draft en.' }]);
    expect(text?.publicVersion).toBe(1);
  });
});

describe('a job that notes what it has left', needsApiFile, () => {
  it('reads one tree after a call', async () => {
    const { service, ...scene } = await openScene({ stores });
    const articleIds = [
      'draft',
      'hidden-draft',
      'public',
      'hidden-public',
      'draft-over-public',
      'untranslated',
      'html',
    ];
    const jobId = await run(
      scene,
      articleIds.map((articleId) => ({ articleId, content: CONTENT })),
    );
    const countOf = (path: RegExp) => service.http.received.filter(({ url }) => path.test(url)).length;
    expect(countOf(/Articles\/[\w-]+\/en/u)).toBe(articleIds.length);
    expect([countOf(/bulkupdate/u), countOf(/categories/u)]).toEqual([1, 1]);
    expect(service.http.received.length).toBeLessThanOrEqual(articleIds.length + 4);
    expect((await undo(scene, jobId)).map(({ kind }) => kind)).toEqual(articleIds.map(() => 'updated'));
  });
});

describe('a revert over the embedded store', () => {
  it('says what was expected, and what is there', async () => {
    const { backend } = await openStore();
    const credentials = { serviceUrl: null, ownToken: 'token' };
    const jobs = openGateway({ url: stateUrl(), backend, credentials, clock: systemClock });
    const scene = { jobs, caller: storeCaller };
    const jobId = await run(scene, [{ articleId: 'a1', title: 'New' }]);
    unwrap(await backend.bulkUpdateArticles(storeCaller, [{ articleId: 'a1', title: 'By an editor' }]));
    const [outcome] = await undo(scene, jobId);
    expect(outcome?.details).toMatch(
      /^Not put back, because the article is not as the job left it, and it was last changed at .+Z\. title: "New" was expected, and "By an editor" is there\.$/u,
    );
  });
});
