import type { ArticleOutcome, ArticleUpdate, BulkUpdate } from '../../domain/articles/bulk-updates.ts';
import { timeLeft } from '../../domain/callers/caller.ts';
import { type BackendError, unavailable } from '../../domain/errors.ts';
import { err, ok, type Result } from '../../domain/result.ts';
import type { Backend } from '../backend.ts';
import type { Submission } from './batch.ts';

type Send = Backend['bulkUpdateArticles'];

/** The state that a refused merged call leaves behind: nothing applied, or maybe some of its items. */
export type Aftermath = 'nothing' | 'maybe-some';

/** The refusals that may be for the items of one caller, after which each caller's are sent once more alone. */
const AFTERMATHS: ReadonlyMap<number | null, Aftermath> = new Map([
  [400, 'maybe-some'],
  [403, 'nothing'],
  [409, 'maybe-some'],
  [413, 'nothing'],
  [422, 'maybe-some'],
]);

/** Null where a refusal is for the whole call, or no refusal at all, so that nothing is sent again. */
export const aftermathOf = (error: BackendError): Aftermath | null => AFTERMATHS.get(statusOf(error)) ?? null;

function statusOf(error: BackendError): number | null {
  if (error.kind === 'rejected') return error.httpStatus;
  if (error.kind === 'validation') return 400;
  return error.kind === 'forbidden' ? 403 : null;
}

/** Sends what was refused in company once more alone, at once or not at all. */
export async function sendAgain(
  send: Send,
  { caller, updates }: Submission,
  aftermath: Aftermath,
): Promise<Result<BulkUpdate, BackendError>> {
  const answer =
    timeLeft(caller) > 0 ? await send({ ...caller, doesNotWait: true }, updates) : err(unavailable(NO_TIME));
  if (aftermath === 'maybe-some') return ok(inDoubt(updates, answer));
  if (answer.ok || answer.error.kind !== 'unavailable') return answer;
  return ok(forAll(updates, { kind: 'not-attempted', details: NOT_SENT + answer.error.message }));
}

const NO_TIME = 'The time for the request was up before.';

const NOT_SENT =
  'The service refused one call with this and the updates of others, and nothing of it was applied. Alone this was not ' +
  'sent. ';

const MAYBE_APPLIED =
  'The outcome is unknown: the service refused one call with this and the updates of others and may have applied a part ' +
  'of it, and alone this was refused or not sent. ';

/** Only what the service confirms now is certain: any failure may come of its having been applied before. */
function inDoubt(updates: readonly ArticleUpdate[], answer: Result<BulkUpdate, BackendError>): BulkUpdate {
  if (answer.ok) return { ...answer.value, outcomes: answer.value.outcomes.map(unlessUpdated) };
  const { error } = answer;
  const { warnings, information } = error.kind === 'rejected' ? error : NOTHING_SAID;
  const { serviceErrors, message } = error;
  return {
    ...forAll(updates, { kind: 'unknown', details: MAYBE_APPLIED + message }),
    serviceErrors,
    warnings,
    information,
  };
}

const unlessUpdated = (outcome: ArticleOutcome): ArticleOutcome =>
  outcome.kind === 'updated' || outcome.kind === 'unknown'
    ? outcome
    : { ...outcome, kind: 'unknown', details: MAYBE_APPLIED + (outcome.details ?? '') };

const NOTHING_SAID = { serviceErrors: [], warnings: [], information: [], extensionData: null };

const forAll = (updates: readonly ArticleUpdate[], outcome: Omit<ArticleOutcome, 'articleId'>): BulkUpdate => ({
  ...NOTHING_SAID,
  outcomes: updates.map(({ articleId }) => ({ ...outcome, articleId })),
});
