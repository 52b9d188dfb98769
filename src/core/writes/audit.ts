import { hash } from 'node:crypto';
import type { OutcomeKind } from '../articles/article-outcomes.ts';
import type { BackendResult, WriteName, WriteValue } from '../backend.ts';
import type { Log } from '../base/log.ts';
import { toPrintableJson } from '../base/printable.ts';
import { err, ok, type Result } from '../base/result.ts';
import { shorten } from '../base/text.ts';
import { type Caller, sentTokenOf } from '../callers/caller.ts';
import { type BackendError, type BackendErrorKind, mayHaveApplied, unavailable } from '../errors.ts';
import {
  type Next,
  type Step,
  WRITES,
  type WriteCall,
  type WrittenItems,
  type WrittenOutcome,
} from './declarations.ts';

export interface AuditOptions {
  /** Resolves when the lines are safe from a crash; the error is the reason why they are not. */
  readonly append: (lines: string) => Promise<Result<void, string>>;
  readonly log: Log;
  /** A write whose intent cannot be recorded is refused when 'closed', sent when 'open' (`AUDIT_FAILURE`). */
  readonly failureMode: 'closed' | 'open';
}

export class Auditing {
  readonly #options: AuditOptions;
  readonly #failsClosed: boolean;
  readonly #inFlight = new Set<Promise<unknown>>();

  constructor(options: AuditOptions) {
    this.#options = options;
    this.#failsClosed = options.failureMode === 'closed';
  }

  /** Records the intent of each write before it is sent, and its outcome before the result is returned. */
  readonly step: Step = (call, next) => {
    const result = this.#audit(call, next).finally(() => this.#inFlight.delete(result));
    this.#inFlight.add(result);
    return result;
  };

  /** A gateway that has to refuse every write is not ready. */
  async checkReady(): Promise<Result<void, string>> {
    const appended = this.#failsClosed ? await this.#options.append('') : ok(undefined);
    return appended.ok ? appended : err(`The audit log cannot be written (${appended.error}).`);
  }

  /** Resolves when the outcomes of all writes that have begun are recorded. */
  async untilRecorded(): Promise<void> {
    await Promise.allSettled(this.#inFlight);
  }

  async #audit<Name extends WriteName>(call: WriteCall<Name>, next: Next<Name>): BackendResult<WriteValue<Name>> {
    const { write, caller, input } = call;
    const { articleIds, groupId, newArticles, newCategories } = WRITES[write].itemsOf(input);
    const requestId = caller.request.id;
    const entry = { requestId, who: actorOf(caller), operation: write, groupId: groupId && truncateId(groupId) };
    const intent = {
      ...entry,
      articleIds: articleIds?.map(truncateId),
      newArticles: newArticles && {
        count: newArticles.count,
        projectVersionIds: newArticles.projectVersionIds.map(truncateId),
        categoryIds: newArticles.categoryIds.map(truncateId),
      },
      newCategories: newCategories && {
        count: newCategories.count,
        projectVersionIds: newCategories.projectVersionIds.map(truncateId),
        parentCategoryIds: newCategories.parentCategoryIds.map(truncateId),
      },
      phase: 'intent',
    } as const;
    if (!(await this.#record(intent)) && this.#failsClosed) return err(unavailable(NOT_RECORDED));
    try {
      const result = await next(call);
      await this.#record({ ...entry, phase: 'outcome', ...outcomeOf(write, result) });
      return result;
    } catch (thrown) {
      await this.#record({ ...entry, phase: 'outcome', result: 'unexpected-error', mayHaveApplied: true });
      throw thrown;
    }
  }
  /** Returns false when the audit log could not take the record, which is then in the gateway's own log. */
  async #record(entry: Omit<AuditRecord, 'time'>): Promise<boolean> {
    const line = toPrintableJson({ time: new Date().toISOString(), ...entry });
    const appended = await this.#options.append(`${line}\n`);
    if (appended.ok) return true;
    // The parts joined in order are exactly the missing line.
    const parts = Math.ceil(line.length / PART_CHARS);
    for (let part = 1; part <= parts; part += 1) {
      const cut = line.slice((part - 1) * PART_CHARS, part * PART_CHARS);
      const { requestId, phase } = entry;
      const fields = { reason: appended.error, requestId, phase, part, parts, line: cut };
      this.#options.log('error', 'the audit log misses a line', fields);
    }
    return false;
  }
}

/** Characters of a record in one line of the gateway's own log, which cuts longer texts. */
const PART_CHARS = 1_500;

function outcomeOf<Name extends WriteName>(
  write: Name,
  result: Result<WriteValue<Name>, BackendError>,
): Pick<AuditRecord, 'result' | 'mayHaveApplied' | 'outcomes'> {
  if (!result.ok) return { result: result.error.kind, mayHaveApplied: mayHaveApplied(result.error) };
  const outcomes = WRITES[write].outcomesOf?.(result.value);
  return { result: 'payload', outcomes: outcomes && itemOutcomesOf(write, outcomes) };
}

const NOT_RECORDED = 'The gateway cannot record writes at the moment, so nothing was sent.';

/** One line of the audit log. It holds no content and no token. */
export interface AuditRecord {
  /** RFC 3339; the time at which the line was made. */
  readonly time: string;
  readonly requestId: string;
  readonly who: Actor;
  /** The name of the mutation, also for writes that arrive over REST. */
  readonly operation: WriteName;
  /** `intent` is on disk before the write is sent, `outcome` before its result is returned. No outcome: a crash. */
  readonly phase: 'intent' | 'outcome';
  readonly articleIds?: readonly string[] | undefined;
  readonly groupId?: string | undefined;
  /** Instead of IDs, which new articles do not have yet. */
  readonly newArticles?: WrittenItems['newArticles'] | undefined;
  readonly newCategories?: WrittenItems['newCategories'] | undefined;
  readonly result?: 'payload' | BackendErrorKind | 'unexpected-error';
  readonly mayHaveApplied?: boolean;
  readonly outcomes?: ItemOutcomes | undefined;
}

/**
 * The subject of the JWT, else the first 16 hex digits of the SHA-256 of the sent API token, else the gateway itself.
 */
type Actor = { readonly subject: string } | { readonly tokenFingerprint: string } | 'gateway';

/** Kinds that the write cannot have are left out. */
type ItemOutcomes = Readonly<
  Partial<
    Record<
      OutcomeKind,
      { readonly count: number; readonly articleIds?: readonly string[]; readonly categoryIds?: readonly string[] }
    >
  >
>;

/** IDs are opaque and may be as long as a body. */
const MAX_AUDITED_ID_LENGTH = 200;

const truncateId = (id: string): string => shorten(id, MAX_AUDITED_ID_LENGTH);

function actorOf(caller: Caller): Actor {
  const { client } = caller;
  if (client?.ok && client.value.subject !== null) return { subject: client.value.subject };
  const sent = sentTokenOf(caller);
  return sent === null ? 'gateway' : { tokenFingerprint: hash('sha256', sent).slice(0, 16) };
}

function itemOutcomesOf(write: WriteName, outcomes: readonly WrittenOutcome[]): ItemOutcomes {
  const ofKind = (kind: OutcomeKind) => {
    const ofThisKind = outcomes.filter((outcome) => outcome.kind === kind);
    const ids = ofThisKind.flatMap(({ articleId, categoryId }) => articleId ?? categoryId ?? []).map(truncateId);
    return { count: ofThisKind.length, ...(write === 'createCategories' ? { categoryIds: ids } : { articleIds: ids }) };
  };
  return {
    ...(write === 'createArticles' || write === 'createCategories'
      ? { created: ofKind('created') }
      : { updated: ofKind('updated') }),
    failed: ofKind('failed'),
    unknown: ofKind('unknown'),
    'not-attempted': ofKind('not-attempted'),
  };
}
