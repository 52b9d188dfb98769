import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LISTED_WITH_PUBLIC_VERSION } from '../../../src/core/articles/article-previews.ts';
import type { ArticleUpdate, UpdateTarget } from '../../../src/core/articles/bulk-updates.ts';
import { openFaultyService } from '../../support/faulty-service.ts';
import { type ArticleState, type Fate, type LaggingOptions, serveLagging } from '../../support/lagging-service.ts';
import { callerWith, openBackendTo } from '../../support/rest-scene.ts';

const IDS = ['a1', 'a2', 'a3', 'a4'] as const;

type Item = UpdateTarget & Pick<ArticleUpdate, 'title' | 'content' | 'hidden'>;

type Step =
  | { readonly kind: 'publishArticles' | 'unpublishArticles'; readonly items: readonly Item[]; readonly fate: Fate }
  | { readonly kind: 'update'; readonly items: readonly Item[]; readonly fate: Fate }
  | { readonly kind: 'read'; readonly items: readonly Item[] }
  | { readonly kind: 'pass'; readonly calls: number };

const target = fc.record(
  { articleId: fc.constantFrom(...IDS), languageCode: fc.constantFrom('en', 'de') },
  { requiredKeys: ['articleId'] },
);
/** Some updates set nothing, or what is there already. */
const members = fc.record(
  { title: fc.constantFrom('x', 'y', 'a1 before'), content: fc.constantFrom('x', 'before'), hidden: fc.boolean() },
  { requiredKeys: [] },
);
const targets = fc.uniqueArray(target, { minLength: 1, maxLength: 4, selector: ({ articleId }) => articleId });
const fate = fc.constantFrom<Fate>('applied', 'applied', 'applied', 'cutBefore', 'cutAfter');
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ kind: fc.constantFrom('publishArticles', 'unpublishArticles'), items: targets, fate }),
  fc.record({
    kind: fc.constant('update'),
    items: fc.tuple(targets, members).map(([items, set]) => items.map((item) => ({ ...item, ...set }))),
    fate,
  }),
  fc.record({ kind: fc.constant('read'), items: targets }),
  fc.record({ kind: fc.constant('pass'), calls: fc.integer({ min: 1, max: 6 }) }),
);

const options = fc.record({
  listLag: fc.integer({ min: 0, max: 12 }),
  articleLag: fc.constantFrom(0, 0, 3, 8),
  makesVersions: fc.boolean(),
  tellsTimes: fc.boolean(),
});

/** Runs the steps, and tells what a caller was told that is not so. */
async function findUntrue(
  lags: Omit<LaggingOptions, 'articleIds'>,
  steps: readonly Step[],
): Promise<readonly string[]> {
  const service = await openFaultyService();
  const lagging = serveLagging(service, { ...lags, articleIds: IDS });
  const minute = 600_000;
  const backend = openBackendTo(service, { readLagsMs: { list: minute, article: minute }, versionPausesMs: [] });
  const untrue: string[] = [];
  try {
    for (const one of steps) untrue.push(...(await run(one)));
  } finally {
    await backend.close();
    await service.close();
  }
  return untrue;

  async function run(one: Step): Promise<readonly string[]> {
    if (one.kind === 'pass') {
      lagging.pass(one.calls);
      return [];
    }
    if (one.kind === 'read') {
      const selection = { ...LISTED_WITH_PUBLIC_VERSION };
      const read = await backend.articlesOfUpdates(callerWith(), one.items, selection);
      if (!read.ok) return [read.error.message];
      return read.value.flatMap((article) => {
        if (article === null || article.unshown !== undefined) return [];
        const { title, hidden, latestVersion, publicVersion } = lagging.state(article.articleId, article.languageCode);
        // The article says so itself where its latest version is not sure.
        const isSure = article.mayLackVersion !== true;
        const is = { title, hidden, latest: isSure && latestVersion, public: publicVersion || null };
        const told = {
          ...{ title: article.title, hidden: article.hidden },
          ...{ latest: isSure && article.latestVersionNumber, public: article.publicVersionNumber },
        };
        return JSON.stringify(is) === JSON.stringify(told)
          ? []
          : [`${article.articleId} is ${JSON.stringify(is)}, and is read as ${JSON.stringify(told)}`];
      });
    }
    lagging.nextFate = one.fate;
    if (one.kind === 'update') {
      await backend.bulkUpdateArticles(callerWith(), one.items);
      return [];
    }
    const before = one.items.map((item) => lagging.state(item.articleId, item.languageCode ?? 'en'));
    const written = await backend[one.kind](callerWith(), { items: one.items, userId: 'user' });
    lagging.nextFate = 'applied';
    if (!written.ok) return [];
    return written.value.outcomes.flatMap((outcome, index) => {
      const item = one.items[index];
      const state = before[index];
      if (item === undefined || state === undefined) return ['There is no such item.'];
      const now = lagging.state(item.articleId, item.languageCode ?? 'en');
      return isTrue(one.kind, outcome.kind, { now, before: state })
        ? []
        : [`${one.kind} is told ${outcome.kind}, and was ${state.publicVersion}, and is ${now.publicVersion}`];
    });
  }
}

interface States {
  readonly now: ArticleState;
  readonly before: ArticleState;
}

function isTrue(write: 'publishArticles' | 'unpublishArticles', kind: string, { now, before }: States): boolean {
  const isDone = now.publicVersion === (write === 'publishArticles' ? now.latestVersion : 0);
  if (kind === 'updated') return isDone;
  return kind === 'unknown' || now.publicVersion === before.publicVersion;
}

/** An update that no value of a read shows, and a publication at once. */
const publishedAfter = (set: Partial<Item>): [Omit<LaggingOptions, 'articleIds'>, Step[]] => [
  { listLag: 0, articleLag: 3, makesVersions: true, tellsTimes: false },
  [
    { kind: 'update', items: [{ articleId: 'a1', ...set }], fate: 'applied' },
    { kind: 'publishArticles', items: [{ articleId: 'a1' }], fate: 'applied' },
  ],
];

describe('reads that lag behind writes', () => {
  it('never make an outcome or a read untrue, whatever was written before, known or unknown', async () => {
    await fc.assert(
      fc.asyncProperty(options, fc.array(step, { minLength: 2, maxLength: 12 }), async (lags, steps) => {
        expect(await findUntrue(lags, steps)).toEqual([]);
      }),
      { numRuns: 150, examples: [{}, { hidden: false }, { title: 'a1 before' }].map(publishedAfter) },
    );
  });
});
