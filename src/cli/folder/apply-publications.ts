import { notDoneReason, PUBLISH, UNPUBLISH, UPDATE } from './apply-operations.ts';
import { type ApplyRun, CALL_ITEMS, type KnownFile } from './apply-run.ts';
import type { PlanItemOf } from './plan-file.ts';
import { answerOf, inBatches } from './target.ts';

/** Hides or unpublishes the articles whose files are gone, where the plan says so. */
export async function endGone(run: ApplyRun): Promise<void> {
  const gone = run.itemsOf('gone').filter(({ action }) => action !== null);
  const open = gone.filter((item) => isOpen(run, item));
  const hidden = open.filter(({ action }) => action === 'hide');
  const hide = (part: readonly KnownFile[]) => ({
    articles: part.map(({ articleId }) => ({ articleId, hidden: true })),
  });
  await write(run, hidden, { operation: UPDATE, outcome: 'hidden', inputOf: hide });
  const unpublished = open.filter(({ action }) => action === 'unpublish');
  await write(run, unpublished, { operation: UNPUBLISH, outcome: 'unpublished', inputOf: publicationOf(run) });
}

function isOpen(run: ApplyRun, { language, articleId, action }: PlanItemOf<'gone'>): boolean {
  const article = run.storedOf(language, articleId);
  if (article === undefined) return false;
  return action === 'hide' ? !article.hidden : article.publicVersionNumber !== null || article.status === 'PUBLISHED';
}

/** Publishes what is as planned, language by language. */
export async function publishPlanned(run: ApplyRun): Promise<void> {
  const wanted = run.options.plan.items.flatMap((item): readonly KnownFile[] => {
    if (!('publish' in item && item.publish)) return [];
    const { path, language } = item;
    const articleId = run.articles.get(path);
    // A run before this one may have published it.
    const isPublished = run.unchanged.has(path) && run.storedOf(language, articleId ?? '')?.status === 'PUBLISHED';
    return articleId === undefined || isPublished ? [] : [{ path, language, articleId }];
  });
  for (const part of Map.groupBy(wanted, ({ language }) => language).values())
    await write(run, part, { operation: PUBLISH, outcome: 'published', inputOf: publicationOf(run) });
}

const publicationOf = (run: ApplyRun) => (part: readonly KnownFile[]) => ({
  userId: run.options.userId,
  articles: part.map(({ articleId, language }) => ({ articleId, languageCode: language })),
});

interface Write {
  readonly operation: typeof UPDATE;
  readonly outcome: 'hidden' | 'unpublished' | 'published';
  readonly inputOf: (part: readonly KnownFile[]) => object;
}

async function write(
  run: ApplyRun,
  files: readonly KnownFile[],
  { operation, outcome, inputOf }: Write,
): Promise<void> {
  for (const part of inBatches(files, CALL_ITEMS)) {
    const { results } = (await answerOf(run.options.client, operation, { input: inputOf(part) })).result;
    for (const [index, { path }] of part.entries()) {
      const result = results[index];
      if (result?.__typename === 'ArticleUpdated') run.count(outcome);
      else run.fail(path, `was not ${outcome}: ${result === undefined ? '' : notDoneReason(result)}`);
    }
  }
}
