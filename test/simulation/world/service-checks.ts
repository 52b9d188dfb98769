import type { ArticleOutcome, Publication } from '../../../src/core/articles/article-outcomes.ts';
import type { UpdateTarget } from '../../../src/core/articles/bulk-updates.ts';
import type { ReceivedItem } from './simulated-service.ts';

/** Names a text: its article, and its language. */
export const textOf = ({ articleId, languageCode }: UpdateTarget): string => `${articleId} ${languageCode ?? 'en'}`;

/** An item with the outcome that the gateway told. Its marker is the title that it sets, which no other item has. */
export interface ToldOutcome {
  readonly marker: string;
  readonly outcome: ArticleOutcome;
  /** The virtual time from which on it may have been known. */
  readonly at: number;
}

/** Violations of "nothing is sent twice". A call that the service refused as a whole did nothing, so it may come again. */
export function findRepeatedItems(received: readonly ReceivedItem[]): readonly string[] {
  const effective = received.filter(({ fate }) => fate !== 'refused');
  return [...Map.groupBy(effective, ({ marker }) => marker)].flatMap(([marker, items]) =>
    items.length > 1 ? [`${marker} was sent ${items.length} times (${items.map(({ fate }) => fate).join(', ')})`] : [],
  );
}

/** Violations of "no untrue outcome". */
export function findUntrueOutcomes(received: readonly ReceivedItem[], told: readonly ToldOutcome[]): readonly string[] {
  const fates = Map.groupBy(received, ({ marker }) => marker);
  return told.flatMap(({ marker, outcome }) => {
    const reached = (fates.get(marker) ?? []).map(({ fate }) => fate).filter((fate) => fate !== 'refused');
    return isTrue(outcome, reached)
      ? []
      : [`${marker} is told ${outcome.kind}, and was ${reached.join() || 'not sent'}`];
  });
}

/** Violations of "no write begins after its outcome was told". */
export function findLateSends(received: readonly ReceivedItem[], told: readonly Omit<ToldOutcome, 'outcome'>[]) {
  const begun = new Map(received.map(({ marker, begunAt }) => [marker, begunAt]));
  return told.flatMap(({ marker, at }) => {
    const begunAt = begun.get(marker) ?? Number.NEGATIVE_INFINITY;
    return begunAt > at ? [`${marker} was told at ${at}, and its write began at ${begunAt}`] : [];
  });
}

function isTrue({ kind }: ArticleOutcome, reached: readonly ReceivedItem['fate'][]): boolean {
  switch (kind) {
    case 'updated':
      return reached.includes('applied');
    case 'failed':
      return reached.includes('failed') && !reached.includes('applied');
    case 'not-attempted':
      return reached.length === 0;
    case 'unknown':
      return true;
  }
}

/** Violations of "order per article is kept": the markers of one article are applied in the order of the list. */
export function findReorderedItems(
  written: ReadonlyMap<string, readonly string[]>,
  submitted: readonly string[],
): readonly string[] {
  const positions = new Map(submitted.map((marker, index) => [marker, index]));
  return [...written].flatMap(([articleId, applied]) => {
    const order = applied.flatMap((title) => positions.get(title) ?? []);
    const isSorted = order.every((position, index) => index === 0 || position > (order[index - 1] ?? -1));
    return isSorted ? [] : [`the items of article ${articleId} were applied in the order ${order.join()}`];
  });
}

/** An item that a job has updated, with what became of its publication; null where that is not told yet. */
export interface ToldPublication {
  readonly job: string;
  /** The text, by `textOf`. */
  readonly text: string;
  /** The version that its update has made, and the one of the next item of the job for this text. */
  readonly from: number;
  readonly to: number;
  readonly publication: Publication | null | undefined;
  readonly at: number;
}

/** Violations of "nothing is published twice", "no untrue outcome" and "nothing begins after its outcome was told". */
export function findWrongPublications(received: readonly ReceivedItem[], told: readonly ToldPublication[]) {
  const effective = received.filter(({ publication, fate }) => publication !== undefined && fate !== 'refused');
  return told.flatMap(({ job, text, from, to, publication, at }) => {
    const versionOf = (item: ReceivedItem) => item.publication?.version ?? 0;
    const all = effective.filter((item) => textOf(item) === text && versionOf(item) >= from);
    const own = all.filter((item) => item.publication?.job === job && versionOf(item) < to);
    const fates = own.map(({ fate }) => fate);
    const named = `the publication of ${text} v${from} by ${job}`;
    const isPublished = all.some(({ fate }) => fate === 'applied');
    return [
      ...(own.length > 1 ? [`${named} was sent ${own.length} times`] : []),
      ...(own.some(({ begunAt }) => begunAt > at) ? [`${named} began after it was told`] : []),
      ...(publication === null || isTruePublication(publication, { isPublished, fates })
        ? []
        : [`${named} is told ${publication}, and was ${fates.join() || 'not sent'}`]),
    ];
  });
}

function isTruePublication(
  publication: Publication | undefined,
  { isPublished, fates }: { readonly isPublished: boolean; readonly fates: readonly ReceivedItem['fate'][] },
): boolean {
  switch (publication) {
    case 'PUBLISHED':
      return isPublished;
    case 'FAILED':
      return fates.includes('failed');
    case 'NOT_ATTEMPTED':
      return fates.length === 0;
    case 'UNKNOWN':
      return true;
    case 'UNPUBLISHED':
    case undefined:
      return false;
  }
}
