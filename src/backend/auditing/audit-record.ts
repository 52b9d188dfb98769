import { hash } from 'node:crypto';
import type { ArticleOutcome } from '../../domain/articles/article-outcomes.ts';
import { type Caller, sentTokenOf } from '../../domain/callers/caller.ts';
import type { BackendErrorKind } from '../../domain/errors.ts';

/** One line of the audit log. It holds no content and no token. */
export interface AuditRecord {
  /** RFC 3339; the time at which the line was made. */
  readonly time: string;
  readonly requestId: string;
  readonly who: Actor;
  /** The name of the mutation, also for writes that arrive over REST. */
  readonly operation: 'bulkUpdateArticles' | 'updateReaderGroup' | 'changeReaderGroupMembers';
  /** `intent` is on disk before the write is sent, `outcome` before its result is returned. No outcome: a crash. */
  readonly phase: 'intent' | 'outcome';
  readonly articleIds?: readonly string[];
  readonly groupId?: string;
  readonly result?: 'payload' | BackendErrorKind | 'unexpected-error';
  readonly mayHaveApplied?: boolean;
  readonly outcomes?: ItemOutcomes;
}

/** Stands in the audit log in place of lines that could not be written. They are in the gateway's own log. */
export interface AuditGap {
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
