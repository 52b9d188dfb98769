import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { ArticleOutcome } from '../../src/core/articles/article-outcomes.ts';
import type { Article } from '../../src/core/articles/articles.ts';
import type { ArticleUpdate } from '../../src/core/articles/bulk-updates.ts';
import type { Backend } from '../../src/core/backend.ts';
import { systemClock } from '../../src/core/base/clock.ts';
import { silentLog } from '../../src/core/base/log.ts';
import type { Caller } from '../../src/core/callers/caller.ts';
import { withPipeline } from '../../src/core/writes/pipeline.ts';
import type { Jobs } from '../../src/jobs/create-jobs.ts';
import { mergeWrites } from '../../src/service/merging/merging.ts';
import { openRestBackend } from '../../src/service/rest-backend.ts';
import type { KnowledgeBase } from '../../src/store/knowledge-base/format.ts';
import { smallKnowledgeBase } from '../store/small-knowledge-base.ts';
import { openStore } from '../store/store.ts';
import { startGateway } from '../support/gateway.ts';
import { callerWith } from '../support/rest-scene.ts';
import { openGateway, stateUrl, unwrap } from './harness.ts';

const TOKEN = 'token';
const LANGUAGES = ['en', 'de', 'fr'] as const;
const IDS = ['a1', 'w1'] as const;

/** Two articles in three languages, one of them with HTML, with a value of every member. */
const knowledgeBase: KnowledgeBase = {
  ...smallKnowledgeBase,
  languages: [
    ...smallKnowledgeBase.languages,
    { project_version_id: 'pv1', code: 'fr', name: 'French', is_default: false },
  ],
  articles: smallKnowledgeBase.articles.map((article) => ({
    ...article,
    order: 1,
    versions: [
      ...article.versions,
      ...(article.id === 'a1' || article.id === 'w1'
        ? [{ lang_code: 'fr', version_number: 1, title: 'fr', content: 'Texte', translation_option: '2' } as const]
        : []),
    ],
  })),
};

const member = <T>(...values: readonly T[]) => fc.option(fc.constantFrom(...values), { nil: undefined, freq: 2 });

/** The members whose values all languages have, and those of one. An item without a language is in English. */
const item: fc.Arbitrary<ArticleUpdate> = fc.record({
  articleId: fc.constantFrom('a1', 'a1', 'a1', 'w1'),
  languageCode: fc.constantFrom('en', 'de', 'fr', undefined),
  title: member('T1', 'T2', null),
  content: member('C1', 'C2'),
  categoryId: member('basics', 'bits', 'guides', null),
  hidden: member(true, false),
  order: member(1, 2, 3),
  translationStatus: member('NONE', 'NEEDS_TRANSLATION', 'TRANSLATED'),
});

const EDITED = { title: 'Edited', content: 'Edited', categoryId: 'reference', order: 99 } as const;

type Member = keyof typeof EDITED | 'hidden' | 'translationStatus';
const SHARED: readonly Member[] = ['categoryId', 'hidden', 'order'];

/** What somebody changes between the job and its revert. */
const edit = fc.record({
  articleId: fc.constantFrom(...IDS),
  languageCode: fc.constantFrom(...LANGUAGES),
  name: fc.constantFrom('title', 'content', 'categoryId', 'order', 'hidden'),
});

const cases = fc.record({
  items: fc.array(item, { minLength: 1, maxLength: 8 }),
  edit: fc.option(edit, { freq: 2 }),
});

interface Part {
  readonly backend: Backend;
  readonly jobs: Jobs;
  readonly caller: Caller;
}

type Texts = ReadonlyMap<string, Readonly<Record<Member, unknown>>>;

const keyOf = ({ articleId, languageCode }: Pick<ArticleUpdate, 'articleId' | 'languageCode'>): string =>
  `${articleId} ${languageCode ?? 'en'}`;

async function readAll({ backend, caller }: Part): Promise<Texts> {
  const keys = IDS.flatMap((articleId) => LANGUAGES.map((languageCode) => ({ articleId, languageCode })));
  const articles = await backend.articles({ ...caller, request: callerWith(TOKEN).request }, keys);
  return new Map(
    articles.map((result, n) => {
      const article = unwrap(result);
      const key = keys[n];
      if (article === null || key === undefined) throw new Error('An article is missing.');
      return [keyOf(key), valuesOf(article)];
    }),
  );
}

const valuesOf = (article: Article): Record<Member, unknown> => {
  const { title, categoryId, hidden, order, translationStatus } = article;
  const content = article.contentType === 'WYSIWYG' ? article.htmlContent : article.content;
  return { title, content, categoryId, hidden, order, translationStatus };
};

async function ended({ jobs, caller }: Part, jobId: string) {
  for (;;) {
    const job = unwrap(await jobs.articleUpdateJobs.find(caller, jobId));
    if (job?.endedAt != null) return job;
    await sleep(5);
  }
}

type Case = typeof cases extends fc.Arbitrary<infer T> ? T : never;

interface Ended extends Pick<Case, 'items'> {
  readonly before: Texts;
  readonly after: Texts;
  readonly edited: (NonNullable<Case['edit']> & { readonly value: unknown }) | null;
  /** The outcomes of the revert, by text. */
  readonly outcomes: ReadonlyMap<string, ArticleOutcome>;
}

let keys = 0;

/** Runs a job with these items, makes the edit, and reverts the job. */
async function runCase(part: Part, { items, edit }: Case): Promise<Ended> {
  const { jobs, caller, backend } = part;
  keys += 1;
  const before = await readAll(part);
  const submitted = await jobs.articleUpdateJobs.submit(caller, {
    ...{ idempotencyKey: `job-${keys}`, startIndex: 0, moreToCome: false, keepBefore: 'ALWAYS', updates: items },
  });
  const { jobId, counts } = await ended(part, unwrap(submitted).job.jobId);
  expect(counts).toMatchObject({ updated: items.length });
  const isHidden = edit && (await readAll(part)).get(keyOf(edit))?.hidden;
  const edited = edit && { ...edit, value: edit.name === 'hidden' ? !isHidden : EDITED[edit.name] };
  if (edited) {
    const update = { articleId: edited.articleId, languageCode: edited.languageCode, [edited.name]: edited.value };
    unwrap(await backend.bulkUpdateArticles(caller, [update]));
  }
  const begun = await jobs.articleUpdateJobs.revert(caller, { jobId, idempotencyKey: `revert-${keys}` });
  const { jobId: undoId } = await ended(part, unwrap(begun).job.jobId);
  const request = { page: { limit: 100 }, outcomes: null };
  const page = unwrap(await jobs.articleUpdateJobs.results(caller, undoId, request));
  const outcomes = new Map(page.edges.map(({ node }) => [keyOf(node.target), node.outcome]));
  return { items, before, after: await readAll(part), edited, outcomes };
}

const readMember = (values: object | undefined, name: string): unknown => Reflect.get(values ?? {}, name);

const setsOf = (items: readonly ArticleUpdate[]): ReadonlySet<string> =>
  new Set(items.flatMap((one) => Object.keys(one).filter((name) => readMember(one, name) !== undefined)));

/** What is untrue of the outcome of a text, or of what the revert has left of it. */
function violationsOf({ items, before, after, edited, outcomes }: Ended, key: string): readonly string[] {
  const own = setsOf(items.filter((one) => keyOf(one) === key));
  const ofArticle = setsOf(items.filter(({ articleId }) => key.startsWith(articleId)));
  const outcome = outcomes.get(key);
  const isEdited = (name: string) =>
    edited?.name === name && (SHARED.includes(edited.name) ? key.startsWith(edited.articleId) : keyOf(edited) === key);
  const isChanged = outcome?.kind === 'not-attempted' && outcome.reason === 'CHANGED_SINCE';
  const ofMembers = Object.entries(after.get(key) ?? {}).flatMap(([name, value]) => {
    const was = readMember(before.get(key), name);
    const isUntrue = outcome?.kind === 'updated' && own.has(name) && value !== was;
    return [
      ...(isUntrue ? [`${key} ${name} is ${value}, and was ${was}`] : []),
      ...(isEdited(name) && value !== edited?.value ? [`the edit of ${key} ${name} was overwritten by ${value}`] : []),
      ...(!ofArticle.has(name) && !isEdited(name) && value !== was ? [`${key} ${name} was set by nobody`] : []),
    ];
  });
  return [
    ...(isChanged && ![...own].some(isEdited) ? [`${key} was touched by nobody`] : []),
    ...(outcome !== undefined && !isChanged && outcome.kind !== 'updated' ? [JSON.stringify(outcome)] : []),
    ...((outcome === undefined) === own.size > 0 ? [`${key} has the outcome ${outcome?.kind}`] : []),
    ...ofMembers,
  ];
}

const storeWith = async () => (await openStore({ knowledgeBase })).backend;

const BACKENDS: readonly (readonly [string, number, () => Promise<Backend>])[] = [
  ['the embedded store', 150, storeWith],
  [
    'REST, with a second gateway as the service',
    30,
    async () => {
      const service = await startGateway({ backend: await storeWith(), local: true, token: TOKEN });
      const rest = openRestBackend({
        baseUrl: service.url,
        timeoutMs: 60_000,
        bulkSize: 100,
        log: silentLog,
        maxReadCalls: 1_000,
        // The other gateway shows each write at once.
        readLagsMs: { list: 0, article: 0 },
      });
      onTestFinished(async () => {
        await rest.close();
        await service.close();
      });
      return withPipeline(rest, { merging: mergeWrites({ maxItems: 100 }) });
    },
  ],
];

describe.each(BACKENDS)('a revert over %s', (_name, numRuns, open) => {
  it('puts several items of an article back to what stood before the first, in every order of languages and members', async () => {
    const backend = await open();
    const credentials = { serviceUrl: null, ownToken: TOKEN };
    const jobs = openGateway({ url: stateUrl(), backend, credentials, clock: systemClock });
    const part = { backend, jobs, caller: callerWith(TOKEN, 3_600_000) };
    const isKept = async (one: Case) => {
      const run = await runCase(part, one);
      expect([...run.after.keys()].flatMap((key) => violationsOf(run, key))).toEqual([]);
    };
    await fc.assert(fc.asyncProperty(cases, isKept), { numRuns });
  });
});
