import { hash } from 'node:crypto';
import type { ArticleOutcome } from '../../domain/articles/bulk-updates.ts';
import { type Caller, sentTokenOf } from '../../domain/callers/caller.ts';
import type { BackendErrorKind } from '../../domain/errors.ts';

/** One line of the audit log. Who, what and what became of it; nothing of what was written, and no token. */
export interface AuditRecord {
  /** RFC 3339, when the line was made. */
  readonly time: string;
  readonly requestId: string;
  readonly who: Who;
  /** The mutation, also where the write came in as REST. */
  readonly operation: 'bulkUpdateArticles' | 'updateReaderGroup' | 'changeReaderGroupMembers';
  /** `intent` is on the disk before the write is sent, `outcome` before it is answered. An intent alone: a crash. */
  readonly phase: 'intent' | 'outcome';
  readonly articleIds?: readonly string[];
  readonly groupId?: string;
  readonly result?: 'payload' | BackendErrorKind | 'unexpected-error';
  readonly mayHaveApplied?: boolean;
  readonly outcomes?: ItemOutcomes;
}

/** The line that follows where lines are missing: the disk was full, say. The gateway's own log has them. */
export interface AuditGap {
  readonly time: string;
  readonly phase: 'gap';
  /** When the first of them should have been written. */
  readonly since: string;
  readonly lines: number;
}

/** The subject of the JWT, else the beginning of the SHA-256 of the API token that was sent, else the gateway with its own. */
type Who = { readonly subject: string } | { readonly tokenFingerprint: string } | 'gateway';

type ItemOutcomes = Readonly<
  Record<ArticleOutcome['kind'], { readonly count: number; readonly articleIds: readonly string[] }>
>;

/** IDs are opaque and may be as long as a body: past this length they are told apart by what they begin with. */
const MAX_ID = 200;

export const auditedId = (id: string): string => (id.length > MAX_ID ? `${id.slice(0, MAX_ID)}…` : id);

export function whoIs(caller: Caller): Who {
  const { client } = caller;
  if (client?.ok && client.value.subject !== null) return { subject: client.value.subject };
  const sent = sentTokenOf(caller);
  return sent === null ? 'gateway' : { tokenFingerprint: hash('sha256', sent).slice(0, 16) };
}

export function outcomesOf(outcomes: readonly ArticleOutcome[]): ItemOutcomes {
  const those = (kind: ArticleOutcome['kind']) => {
    const articleIds = outcomes.filter((outcome) => outcome.kind === kind).map(({ articleId }) => auditedId(articleId));
    return { count: articleIds.length, articleIds };
  };
  return {
    updated: those('updated'),
    failed: those('failed'),
    unknown: those('unknown'),
    'not-attempted': those('not-attempted'),
  };
}
