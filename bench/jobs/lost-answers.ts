import { loseAnswers } from '../../test/crash/lost-answers.ts';
import { type Figure, figure, none } from '../report/figures.ts';
import type { Size } from '../report/size.ts';

const LONGEST_MS = 1_200_000;
/** The largest share of the applied items that may stay unknown. */
const MAX_UNRESOLVED_PERCENT = 1;

/** Answers that are cut before or after the service has applied the update, or do not come. */
export async function measureLostAnswers({ isFull }: Size): Promise<readonly Figure[]> {
  const { audit, puts, reads, surprises } = await loseAnswers({
    items: isFull ? 2_000 : 300,
    longestMs: LONGEST_MS,
  });
  const { items, lostAnswers, resolved, unknown } = audit.counts;
  const unresolved = lostAnswers === 0 ? 100 : (100 * (lostAnswers - resolved)) / lostAnswers;
  return [
    figure('items', items),
    figure('PUTs', puts),
    figure('reads of the service', reads),
    figure('applied, and the answer was lost', lostAnswers),
    figure('of these, not found by reading', unresolved, { unit: '%', atMost: MAX_UNRESOLVED_PERCENT }),
    figure('unknown at the end, those not applied included', unknown),
    none('updated, although the article lacked an asked value', audit.contradicted),
    none(
      'sent twice, out of order, miscounted',
      [audit.sentTwice, audit.outOfOrder, audit.miscounted, surprises].flat(),
    ),
  ];
}
