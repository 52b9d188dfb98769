import { type ApplyRun, CALL_ITEMS, type KnownFile, notDoneOf } from './apply-run.ts';
import { setsShared } from './apply-texts.ts';
import type { PlanItemOf } from './plan-file.ts';
import { NO_OUTCOME, notDoneReason, type PlanGateway, type WriteOutcome } from './plan-gateway.ts';
import { isPublic, resultOf } from './target.ts';

/** Hides or unpublishes the articles whose files are gone, where the plan says so. */
export async function endGone(run: ApplyRun): Promise<void> {
  const gone = run.itemsOf('gone').filter(({ action }) => action !== null);
  const open = gone.filter((item) => isOpen(run, item));
  const hidden = open.filter(({ action }) => action === 'hide');
  const hide = (part: readonly KnownFile[]) => ({
    articles: part.map(({ articleId }) => ({ articleId, hidden: true })),
  });
  await write(run, hidden, { operation: 'update', outcome: 'hidden', inputOf: hide });
  const unpublished = open.filter(({ action }) => action === 'unpublish');
  await write(run, unpublished, { operation: 'unpublish', outcome: 'unpublished', inputOf: publicationOf(run) });
}

function isOpen(run: ApplyRun, { language, articleId, action }: PlanItemOf<'gone'>): boolean {
  const article = run.storedOf(language, articleId);
  if (article === undefined) return false;
  return action === 'hide' ? !article.hidden : isPublic(article);
}

/** Publishes what is as planned, language by language. */
export async function publishPlanned(run: ApplyRun): Promise<void> {
  const moved = new Set(run.itemsOf('change').flatMap((item) => (setsShared(item) ? (item.articleId ?? []) : [])));
  const wanted = run.options.plan.items.flatMap((item): readonly PublishedFile[] => {
    if (!('publish' in item && item.publish)) return [];
    const { path, language } = item;
    const articleId = run.articles.get(path);
    // A run before this one may have published it.
    const isPublished = run.unchanged.has(path) && run.storedOf(language, articleId ?? '')?.status === 'PUBLISHED';
    if (articleId === undefined || isPublished) return [];
    // This run has changed what the revision is of.
    const ifRevision = item.kind === 'same' && !moved.has(articleId) ? item.ifRevision : undefined;
    return [{ path, language, articleId, ifRevision }];
  });
  for (const part of Map.groupBy(wanted, ({ language }) => language).values())
    await write(run, part, { operation: 'publish', outcome: 'published', inputOf: publicationOf(run) });
}

/** A file whose text is published only where it has this revision; any where that is absent. */
interface PublishedFile extends KnownFile {
  readonly ifRevision?: string | undefined;
}

const publicationOf = (run: ApplyRun) => (part: readonly PublishedFile[]) => ({
  userId: run.options.userId,
  articles: part.map(({ articleId, language, ifRevision }) => ({ articleId, languageCode: language, ifRevision })),
});

interface Write {
  readonly operation: keyof Pick<PlanGateway, 'update' | 'publish' | 'unpublish'>;
  readonly outcome: 'hidden' | 'unpublished' | 'published';
  readonly inputOf: (part: readonly PublishedFile[]) => object;
}

async function write(run: ApplyRun, files: readonly PublishedFile[], { outcome, ...sending }: Write): Promise<void> {
  for await (const [part, results] of sendInParts(run, files, sending)) {
    for (const [index, { path }] of part.entries()) {
      const result = results[index] ?? NO_OUTCOME;
      if (result.__typename === 'ArticleUpdated') run.options.onOutcome(path, outcome);
      else run.fail(path, `was not ${outcome}: ${notDoneReason(result)}`, notDoneOf(result));
    }
  }
}

/**
 * Sends the files in parts, which are smaller where a part would take more calls than the gateway permits: what was changed
 * within the last minute may take a call for each article.
 */
async function* sendInParts(
  { options: { gateway } }: ApplyRun,
  files: readonly PublishedFile[],
  { operation, inputOf }: Omit<Write, 'outcome'>,
): AsyncGenerator<readonly [part: readonly PublishedFile[], results: readonly WriteOutcome[]]> {
  let size = CALL_ITEMS;
  for (let start = 0; start < files.length; ) {
    const part = files.slice(start, start + size);
    const answer = await gateway[operation]({ input: inputOf(part) });
    if (!answer.ok && answer.error.kind === 'too-large' && size > 1) {
      size = Math.ceil(size / 2);
      continue;
    }
    start += size;
    yield [part, resultOf(answer).results];
  }
}
