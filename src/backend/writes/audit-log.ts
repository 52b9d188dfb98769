import { hash } from 'node:crypto';
import type { Log } from '../../base/log.ts';
import { toPrintableJson } from '../../base/printable.ts';
import { err, type Result } from '../../base/result.ts';
import type { ArticleOutcome } from '../../domain/articles/article-outcomes.ts';
import { type Caller, sentTokenOf } from '../../domain/callers/caller.ts';
import type { BackendErrorKind } from '../../domain/errors.ts';
import type { WriteName } from '../backend.ts';

export interface AuditRecorderOptions {
  /** Resolves when the lines are safe from a crash; the error is the reason why they are not. */
  readonly append: (lines: string) => Promise<Result<void, string>>;
  readonly log: Log;
}

type MissingLines = Pick<AuditGap, 'since' | 'lines'>;

export class AuditRecorder {
  readonly #options: AuditRecorderOptions;
  #missing: MissingLines | null = null;

  constructor(options: AuditRecorderOptions) {
    this.#options = options;
  }

  /** Returns false when the audit log could not take the record, which is then in the gateway's own log. */
  async record(entry: Omit<AuditRecord, 'time'>): Promise<boolean> {
    const time = new Date().toISOString();
    const line = lineOf({ time, ...entry });
    const appended = await this.#appendAfterGap(line, time);
    if (appended.ok) return true;
    this.#missing = mergeMissing(this.#missing, { since: time, lines: 1 });
    this.#logInParts(line.trimEnd(), { reason: appended.error, requestId: entry.requestId, phase: entry.phase });
    return false;
  }

  /** Checks that the audit log can be written, by appending the line about a gap if lines are missing. */
  async checkWritable(): Promise<Result<void, string>> {
    const appended = await this.#appendAfterGap('', new Date().toISOString());
    return appended.ok ? appended : err(`The audit log cannot be written (${appended.error}).`);
  }

  /** Appends lines, after one about the gap if lines are missing. */
  async #appendAfterGap(lines: string, time: string): Promise<Result<void, string>> {
    const missing = this.#missing;
    this.#missing = null;
    const gap = missing === null ? '' : lineOf({ time, phase: 'gap', ...missing });
    const appended = await this.#options.append(gap + lines);
    if (!appended.ok) this.#missing = mergeMissing(missing, this.#missing);
    return appended;
  }

  /** The parts joined in order are exactly the missing line. */
  #logInParts(line: string, fields: Readonly<Record<string, unknown>>): void {
    const parts = Math.ceil(line.length / PART_CHARS);
    for (let part = 1; part <= parts; part += 1) {
      const cut = line.slice((part - 1) * PART_CHARS, part * PART_CHARS);
      this.#options.log('error', 'the audit log misses a line', { ...fields, part, parts, line: cut });
    }
  }
}

const lineOf = (record: AuditRecord | AuditGap): string => `${toPrintableJson(record)}\n`;

function mergeMissing(one: MissingLines | null, other: MissingLines | null): MissingLines | null {
  if (one === null || other === null) return one ?? other;
  return { since: one.since < other.since ? one.since : other.since, lines: one.lines + other.lines };
}

/** Characters of a record in one line of the gateway's own log, which cuts longer texts. */
const PART_CHARS = 1_500;

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
  readonly result?: 'payload' | BackendErrorKind | 'unexpected-error';
  readonly mayHaveApplied?: boolean;
  readonly outcomes?: ItemOutcomes | undefined;
}

/** Stands in the audit log in place of lines that could not be written. They are in the gateway's own log. */
interface AuditGap {
  readonly time: string;
  readonly phase: 'gap';
  /** The time of the first missing line. */
  readonly since: string;
  readonly lines: number;
}

/**
 * The subject of the JWT, else the first 16 hex digits of the SHA-256 of the sent API token, else the gateway itself.
 */
type Actor = { readonly subject: string } | { readonly tokenFingerprint: string } | 'gateway';

type ItemOutcomes = Readonly<
  Record<ArticleOutcome['kind'], { readonly count: number; readonly articleIds: readonly string[] }>
>;

/** IDs are opaque and may be as long as a body. */
const MAX_AUDITED_ID_LENGTH = 200;

export const truncateId = (id: string): string =>
  id.length > MAX_AUDITED_ID_LENGTH ? `${id.slice(0, MAX_AUDITED_ID_LENGTH)}…` : id;

export function actorOf(caller: Caller): Actor {
  const { client } = caller;
  if (client?.ok && client.value.subject !== null) return { subject: client.value.subject };
  const sent = sentTokenOf(caller);
  return sent === null ? 'gateway' : { tokenFingerprint: hash('sha256', sent).slice(0, 16) };
}

export function itemOutcomesOf(outcomes: readonly ArticleOutcome[]): ItemOutcomes {
  const ofKind = (kind: ArticleOutcome['kind']) => {
    const articleIds = outcomes
      .filter((outcome) => outcome.kind === kind)
      .map(({ articleId }) => truncateId(articleId));
    return { count: articleIds.length, articleIds };
  };
  return {
    updated: ofKind('updated'),
    failed: ofKind('failed'),
    unknown: ofKind('unknown'),
    'not-attempted': ofKind('not-attempted'),
  };
}
