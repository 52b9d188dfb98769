import { withThousands } from '../base/text.ts';
import { CALL_ITEMS } from './apply-run.ts';
import type { PlanChanges, PlanItem } from './plan-file.ts';
import type { TargetArticle } from './plan-gateway.ts';

/** The calls of a plan, and its minutes over a service that permits 60 calls a minute. The embedded store has no such limit. */
export interface PlanCost {
  readonly calls: number;
  /** The calls of the first minute are made at once. */
  readonly minutes: number;
}

const CALLS_A_MINUTE = 60;

/** The calls of a part that is changed, published or unpublished: the project versions and a tree are read first. */
const CALLS_A_PART = 3;

/** The calls that `apply` makes: the lists that it reads, and its writes. */
export function costOf(items: readonly PlanItem[], articles: ReadonlyMap<string, number>, mainLanguage = ''): PlanCost {
  const counts = itemCounts(items);
  const levels = new Set(items.flatMap((item) => (item.kind === 'category' ? [item.folder.split('/').length] : [])));
  const inCalls = (count: number, size = CALL_ITEMS) => Math.ceil(count / size);
  const lists = [...articles.values()].reduce((sum, count) => sum + Math.max(1, inCalls(count)), 0);
  const published = items.filter((item) => 'publish' in item && item.publish);
  const gone = items.filter((item) => item.kind === 'gone');
  const hidden = gone.filter(({ action }) => action === 'hide').length;
  const unpublished = gone.filter(({ action }) => action === 'unpublish');
  const inLanguages = (all: readonly PlanItem[]) =>
    [...Map.groupBy(all, (item) => ('language' in item ? item.language : '')).values()]
      .map(({ length }) => inCalls(length))
      .reduce((sum, calls) => sum + calls, 0);
  // Trees show no change of another language within a minute: until then, such an article is read by itself.
  const others = items.filter((item) => item.kind === 'change' && item.publish && item.language !== mainLanguage);
  const single = Math.min(others.length, CALLS_A_MINUTE);
  const more = items.filter((item) => item.kind === 'create' && needsUpdate(item.set)).length;
  const parts = inCalls(counts.change) + inLanguages(published) + inLanguages(unpublished);
  const writes = inCalls(counts.create) + inCalls(counts.translate + more) + inCalls(hidden) + CALLS_A_PART * parts;
  const changed = counts.category + counts.create + counts.change + counts.translate;
  const isNothing = changed + published.length + hidden + unpublished.length === 0;
  const calls = isNothing ? 0 : 2 + lists + levels.size + writes + counts.translate + single;
  return { calls, minutes: Math.max(0, Math.ceil(calls / CALLS_A_MINUTE) - 1) };
}

/** True where an item sets members that a create can't set. An update sets them after the create. */
const needsUpdate = ({
  hidden,
  translationStatus,
}: {
  hidden?: boolean | undefined;
  translationStatus?: string | undefined;
}): boolean => hidden !== undefined || translationStatus !== undefined;

type Counts = Readonly<Record<PlanItem['kind'], number>>;

/** How many items there are of each kind. */
export function itemCounts(items: readonly PlanItem[]): Counts {
  const counts = { ...NO_ITEMS };
  for (const { kind } of items) counts[kind] += 1;
  return counts;
}

const NO_ITEMS = {
  'known-category': 0,
  category: 0,
  create: 0,
  translate: 0,
  change: 0,
  same: 0,
  gone: 0,
  'left-out': 0,
} as const satisfies Counts;

/** A sentence with the numbers of a plan. */
export const countsText = ({ create, translate, change, same, category, gone, ...counts }: Counts): string =>
  `${create} to create, ${translate} to translate, ${change} to change, ${same} unchanged, ${counts['left-out']} left out, ${category} new categories, ${gone} whose files are gone.`;

export function costText({ calls, minutes }: PlanCost): string {
  const plural = minutes === 1 ? '' : 's';
  const time = minutes === 0 ? 'less than a minute' : `${withThousands(minutes)} minute${plural}`;
  return `Over a service, apply takes about ${withThousands(calls)} calls: ${time} at ${CALLS_A_MINUTE} a minute.`;
}

/** What a plan changes of an article beside its text, for people. */
export function changeLines({ content, folder, ...short }: PlanChanges, stored: TargetArticle | undefined) {
  const before: Readonly<Record<string, unknown>> = { ...stored, categoryId: stored?.category?.categoryId ?? null };
  const lines = Object.entries(short).map(
    ([name, value]) => `${name} ${JSON.stringify(before[name] ?? null)} -> ${JSON.stringify(value)}`,
  );
  return folder === undefined ? lines : [...lines, `moves to the category of ${folder}/`];
}
