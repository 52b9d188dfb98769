import type { ArticleOutcome } from '../../../src/domain/articles/article-outcomes.ts';
import type { ReceivedItem } from './simulated-service.ts';

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
  titles: Iterable<{ readonly articleId: string; readonly titles: readonly string[] }>,
  submitted: readonly string[],
): readonly string[] {
  const positions = new Map(submitted.map((marker, index) => [marker, index]));
  return [...titles].flatMap(({ articleId, titles: applied }) => {
    const order = applied.flatMap((title) => positions.get(title) ?? []);
    const isSorted = order.every((position, index) => index === 0 || position > (order[index - 1] ?? -1));
    return isSorted ? [] : [`the items of article ${articleId} were applied in the order ${order.join()}`];
  });
}
