import { createPlannedCategories } from './apply-categories.ts';
import { createPlannedArticles } from './apply-creations.ts';
import { endGone, publishPlanned } from './apply-publications.ts';
import { type ApplyOptions, ApplyRun } from './apply-run.ts';
import { changeTexts, compareSince, type PlacedItem, type Since } from './apply-texts.ts';
import type { PlanFile } from './plan-file.ts';
import type { PlanGateway, TargetArticle } from './plan-gateway.ts';
import { listStoredArticles, type Target, targetNameOf } from './target.ts';

/** The shortest time for which a gateway can be set to keep its keys (JOB_KEEP_DAYS), in milliseconds. */
const KEPT_MS = 24 * 60 * 60_000;

/** Why a plan is not applied to a target, as a sentence without its capital; null where it is. */
export function planRefusal({ header }: PlanFile, target: Target): string | null {
  const [planned, found] = [header.target, target].map((one) => `${one.projectVersionName} (${targetNameOf(one)})`);
  if (targetNameOf(target) !== targetNameOf(header.target)) return `the plan is for ${planned}, and this is ${found}.`;
  return Date.now() - Date.parse(header.createdAt) > KEPT_MS ? 'the plan is older than a day. Plan again.' : null;
}

/** True where the plan creates, forks, publishes or unpublishes: the service wants the account that does so. */
export const needsUser = ({ header, items }: PlanFile): boolean =>
  header.ifPublished === 'FORK' ||
  items.some((item) => item.kind === 'create' || item.kind === 'category' || ('publish' in item && item.publish)) ||
  items.some((item) => item.kind === 'gone' && item.action === 'unpublish');

/** The lists of the languages that the plan writes. */
export async function readStored(gateway: PlanGateway, { header, items }: PlanFile): Promise<ApplyOptions['stored']> {
  const stored = new Map<string, ReadonlyMap<string, TargetArticle>>();
  const languages = new Set(items.flatMap((item) => ('language' in item ? [item.language] : [])));
  for (const language of languages) stored.set(language, await listStoredArticles(gateway, header.target, language));
  return stored;
}

/**
 * Does what a plan says, and nothing else: categories, new articles, changes, what is gone, publications. It throws an
 * `Error` with a message for people where it can't go on; a run after that continues.
 */
export async function applyPlan(options: ApplyOptions): Promise<void> {
  const run = new ApplyRun(options);
  for (const step of [createPlannedCategories, createPlannedArticles, changeTexts, endGone, publishPlanned])
    await step(run);
}

/** Yields, for each article that the plan changes, what became of it since. Nothing is written. */
export async function* readSince(options: ApplyOptions): AsyncGenerator<readonly [path: string, since: Since]> {
  const run = new ApplyRun(options);
  for (const { folder, categoryId } of run.itemsOf('known-category')) run.categories.set(folder, categoryId);
  const items = [...run.itemsOf('change'), ...run.itemsOf('translate')].flatMap((item): readonly PlacedItem[] =>
    item.articleId === null ? [] : [{ ...item, articleId: item.articleId }],
  );
  for await (const [{ path }, since] of compareSince(run, items)) yield [path, since];
}
