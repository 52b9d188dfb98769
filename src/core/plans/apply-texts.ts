import { type ApplyRun, inParts, type KnownFile, notDoneOf, type Sent } from './apply-run.ts';
import type { PlanChanges, PlanItemOf } from './plan-file.ts';
import { NO_OUTCOME, notDoneReason, type StoredText, type WriteOutcome } from './plan-gateway.ts';
import { listedRevisionOf, readTexts, resultOf, sameContent } from './target.ts';

type TextItem = PlanItemOf<'change'> | PlanItemOf<'translate'>;

export type PlacedItem = TextItem & { readonly articleId: string };

/** Changes and translates, where the articles are as the plan found them. */
export async function changeTexts(run: ApplyRun): Promise<void> {
  run.end(run.itemsOf('same'), 'unchanged');
  await finishCreated(run);
  const wanted = [...run.itemsOf('change'), ...run.itemsOf('translate')];
  const placed = wanted.flatMap((item): readonly PlacedItem[] => {
    const articleId = item.articleId ?? run.articles.get(item.of ?? '');
    if (articleId === undefined) run.fail(item.path, `the article of ${item.of} was not created.`);
    return articleId === undefined ? [] : [{ ...item, articleId }];
  });
  await sendAll(run, await unchangedSince(run, placed));
}

/** Sets what a create can't, before anything is published. */
async function finishCreated(run: ApplyRun): Promise<void> {
  const updates = run.itemsOf('create').flatMap((item): readonly Sent<KnownFile>[] => {
    const { path, language, set } = item;
    const articleId = run.articles.get(path);
    const { hidden, translationStatus } = set;
    const more = {
      ...(hidden !== undefined && { hidden }),
      ...(translationStatus !== undefined && { translationStatus }),
    };
    const isNeeded = Object.keys(more).length > 0 && !run.unchanged.has(path);
    return articleId === undefined || !isNeeded
      ? []
      : [
          [
            { path, language, articleId },
            { articleId, languageCode: language, ...more },
          ],
        ];
  });
  await send(run, updates, {
    outcomeOf: async ({ path }, outcome) => {
      if (outcome.__typename !== 'ArticleUpdated')
        run.fail(path, `was created, and no more: ${notDoneReason(outcome)}`, notDoneOf(outcome));
      return null;
    },
  });
}

/** How an article compares with what the plan found and with what it would write. */
export type Since = 'as found' | 'as planned' | 'changed' | 'not there';

/** The items whose articles are as the plan found them. The others end here. */
async function unchangedSince(run: ApplyRun, items: readonly PlacedItem[]): Promise<readonly PlacedItem[]> {
  const open: PlacedItem[] = [];
  const unchanged: PlacedItem[] = [];
  for await (const [item, since] of compareSince(run, items)) {
    if (since === 'as found') open.push(item);
    else if (since === 'as planned') unchanged.push(item);
    else if (since === 'changed')
      run.fail(item.path, `its article ${item.articleId} has changed since the plan. Plan again.`);
    else run.fail(item.path, `its article ${item.articleId} is not there any more.`);
  }
  run.end(unchanged, 'unchanged');
  return open;
}

/**
 * Compares by lists, and reads the texts of what these show as changed. The gateway compares once more right before it
 * writes (`ifRevision`).
 */
export async function* compareSince(
  run: ApplyRun,
  items: readonly PlacedItem[],
): AsyncGenerator<readonly [item: PlacedItem, since: Since]> {
  const changed = new Map<string, PlacedItem>();
  for (const item of items) {
    const current = run.storedOf(item.language, item.articleId);
    if ((current === undefined ? null : listedRevisionOf(current)) === item.revision) yield [item, 'as found'];
    else if (current === undefined) yield [item, 'not there'];
    else changed.set(current.id, item);
  }
  for await (const stored of readTexts(run.options.gateway, [...changed.keys()])) {
    const item = changed.get(stored.id);
    if (item !== undefined) yield [item, isAsPlanned(run.inputOf(item.set), stored) ? 'as planned' : 'changed'];
  }
}

function isAsPlanned(input: Omit<PlanChanges, 'folder'> | null, { category, ...stored }: StoredText): boolean {
  const { content, ...others } = input ?? { content: undefined };
  const values: Readonly<Record<string, unknown>> = { ...stored, categoryId: category?.categoryId };
  const isSame = Object.entries(others).every(([name, value]) => value === undefined || value === values[name]);
  return input !== null && isSame && (content === undefined || sameContent(content, stored.content));
}

async function sendAll(run: ApplyRun, items: readonly PlacedItem[]): Promise<void> {
  const { ifPublished } = run.options.plan.header;
  // A change that all languages of an article share is sent last, since it gives its other texts another revision.
  const ordered = items.toSorted((one, other) => Number(setsShared(one)) - Number(setsShared(other)));
  const ready = ordered.flatMap((item): readonly Sent<PlacedItem>[] => {
    const input = run.inputOf(item.set);
    if (input === null) run.fail(item.path, 'its category was not created.');
    const expected = item.ifRevision !== null && { ifRevision: item.ifRevision };
    const update = { articleId: item.articleId, languageCode: item.language, ...input, ...expected };
    return input === null ? [] : [[item, update]];
  });
  const more = ifPublished === 'UPDATE' ? {} : { ifPublished, userId: run.options.userId };
  await send(run, ready, { more, outcomeOf: (item, outcome) => textOutcome(run, item, outcome) });
}

/** True where a change sets `hidden` or the category, which all languages of an article share, and which their revisions include. */
export const setsShared = ({ set: { hidden, categoryId, folder } }: Pick<TextItem, 'set'>): boolean =>
  [hidden, categoryId, folder].some((value) => value !== undefined);

/** Null where the text is not as planned. */
async function textOutcome(run: ApplyRun, item: PlacedItem, outcome: WriteOutcome): Promise<TextOutcome | null> {
  const isUpdated = outcome.__typename === 'ArticleUpdated';
  if (isUpdated && item.kind === 'change') return 'changed';
  // A service may say so of a language that it only shows another one for.
  if (isUpdated && (await run.isThere(item.articleId, item.language))) return 'translated';
  if (isUpdated) run.fail(item.path, 'was sent, and its language has no text yet.', 'failed');
  else run.fail(item.path, notDoneReason(outcome), notDoneOf(outcome));
  return null;
}

type TextOutcome = 'changed' | 'translated';

interface Sending<Item> {
  readonly outcomeOf: (item: Item, outcome: WriteOutcome) => Promise<TextOutcome | null>;
  /** Members of the input beside the articles. */
  readonly more?: object;
}

async function send<Item extends KnownFile>(
  run: ApplyRun,
  items: readonly Sent<Item>[],
  { outcomeOf, more = {} }: Sending<Item>,
): Promise<void> {
  for (const part of inParts(items)) {
    const input = { articles: part.map(([, update]) => update), ...more };
    const { results } = resultOf(await run.options.gateway.update({ input }));
    const ended: { readonly [Outcome in TextOutcome]: KnownFile[] } = { changed: [], translated: [] };
    for (const [index, [item]] of part.entries()) {
      const outcome = await outcomeOf(item, results[index] ?? NO_OUTCOME);
      if (outcome !== null) ended[outcome].push(item);
    }
    run.end(ended.changed, 'changed');
    run.end(ended.translated, 'translated');
  }
}
