import { type ArticleOutcome, outcomesForAll } from '../../../src/core/articles/article-outcomes.ts';
import type { ArticleUpdate } from '../../../src/core/articles/bulk-updates.ts';
import { err } from '../../../src/core/base/result.ts';
import {
  type BackendError,
  forbidden,
  outcomeUnknown,
  rateLimited,
  rejected,
  unauthenticated,
  unavailable,
} from '../../../src/core/errors.ts';
import { createNotice, createServiceError, HTML_CONTENT_DEPRECATED, type Notice } from '../../../src/core/notices.ts';
import { type BulkUpdateResult, outcomeOfKind, resultWith } from './harness.ts';

/** A fault of the network or the service that does not depend on the items. */
export type Fault =
  | 'none'
  | 'unavailable'
  | 'rate-limited'
  | 'unauthenticated'
  | 'blocked'
  | 'too-large'
  | 'conflict'
  | 'unprocessable'
  | 'success-false'
  | 'lost'
  | 'applied-unseen'
  | 'outcome-unknown'
  | 'throws'
  /** The items from this index on are not attempted. */
  | { readonly cutAt: number };

/** The behaviours of the service for an item, which the update has as its `source`. */
export const ITEM_BEHAVIOURS = ['fine', 'failing', 'refused', 'blocked', 'remarked', 'quoted', 'deprecated'] as const;

/** A warning that quotes an item without naming it. */
const quoting = ({ title }: ArticleUpdate) => createNotice(`"${title}" is bold.`, '7');

export const isQuoting = ({ code }: Notice): boolean => code === '7';

export interface ModelService {
  /** The last title of each article. */
  readonly titles: ReadonlyMap<string, string>;
  /** Returns the result of a call. An exception stands for a bug of the backend. */
  serve(token: string | null, updates: readonly ArticleUpdate[], fault: Fault): BulkUpdateResult;
  /** The updates of a refused call that are applied nevertheless. */
  appliedBeforeRefusal(updates: readonly ArticleUpdate[], fault: Fault | null): readonly ArticleUpdate[];
  apply(token: string | null, updates: readonly ArticleUpdate[]): void;
}

export const bug = new Error('a bug');

/**
 * A service with one project per token. `appliesBeforeRefusal` makes it apply the items before the one that it refuses.
 */
export function createModelService(appliesBeforeRefusal: boolean): ModelService {
  const titles = new Map<string, string>();

  const apply = (token: string | null, updates: readonly ArticleUpdate[]) => {
    for (const { articleId, title, source } of updates) {
      if (source !== 'failing') titles.set(`${token}/${articleId}`, title ?? '');
    }
  };
  const appliedBeforeRefusal = (updates: readonly ArticleUpdate[], fault: Fault | null) => {
    if (!appliesBeforeRefusal) return [];
    if (fault === 'conflict' || fault === 'unprocessable') return updates.slice(0, -1);
    if (fault !== 'none' || updates.some(isBlocked)) return [];
    return updates.slice(
      0,
      Math.max(
        0,
        updates.findIndex(({ source }) => source === 'refused'),
      ),
    );
  };
  const serve = (token: string | null, updates: readonly ArticleUpdate[], fault: Fault): BulkUpdateResult => {
    if (typeof fault === 'object') {
      apply(token, updates.slice(0, fault.cutAt));
      const left = updates.slice(fault.cutAt);
      return resultWith([
        ...updates.slice(0, fault.cutAt).map(outcomeOf),
        ...outcomesForAll(left, outcomeOfKind('not-attempted', 'Cut.')),
      ]);
    }
    if (fault === 'throws') throw bug;
    if (fault === 'none') return serveWithoutFault(token, updates);
    apply(token, appliedBeforeRefusal(updates, fault));
    if (fault === 'success-false' || fault === 'applied-unseen') apply(token, updates);
    if (fault === 'lost' || fault === 'applied-unseen') {
      return resultWith(updates.map(({ articleId }) => ({ kind: 'unknown', articleId, details: 'Lost.' })));
    }
    return err(FAILURES[fault](updates));
  };
  const serveWithoutFault = (token: string | null, updates: readonly ArticleUpdate[]): BulkUpdateResult => {
    if (updates.some(isBlocked)) return err(forbidden());
    const refused = updates.filter(({ source }) => source === 'refused');
    if (refused.length > 0) {
      apply(token, appliedBeforeRefusal(updates, 'none'));
      return err(refusal(400, updates.length > 1, refused));
    }
    apply(token, updates);
    return resultWith(updates.map(outcomeOf), {
      warnings: [
        ...(updates.some(({ htmlContent }) => htmlContent) ? [HTML_CONTENT_DEPRECATED] : []),
        ...updates.filter(({ source }) => source === 'quoted').map(quoting),
      ],
      information: updates
        .filter(({ source }) => source === 'remarked')
        .map(({ articleId }) => createNotice(`The article ${articleId} is remarkable.`)),
      extensionData: { items: updates.length },
    });
  };
  return { titles, serve, appliedBeforeRefusal, apply };
}

const outcomeOf = ({ articleId, title, source }: ArticleUpdate): ArticleOutcome => ({
  kind: source === 'failing' ? 'failed' : 'updated',
  articleId,
  details: `${articleId} and ${title}`,
});

/** A firewall refuses calls with such an item. */
const isBlocked = ({ source }: ArticleUpdate): boolean => source === 'blocked';

const FAILURES = {
  unavailable: () => unavailable(),
  'rate-limited': () => rateLimited(7),
  unauthenticated: () => unauthenticated(),
  blocked: () => forbidden(),
  'too-large': (updates) => refusal(413, false, updates),
  conflict: (updates) => refusal(409, updates.length > 1, updates),
  unprocessable: (updates) => refusal(422, updates.length > 1, updates),
  'success-false': (updates) => refusal(200, true, updates),
  'outcome-unknown': () => outcomeUnknown('gone'),
} as const satisfies Record<string, (updates: readonly ArticleUpdate[]) => BackendError>;

/** A rejection with an error and a warning for each article. */
const refusal = (httpStatus: number, mayHaveApplied: boolean, updates: readonly ArticleUpdate[]): BackendError =>
  rejected({
    httpStatus,
    mayHaveApplied,
    serviceErrors: updates.map(({ articleId }) => createServiceError(`The article ${articleId} is refused.`)),
    warnings: updates.map(({ articleId }) => createNotice(`Mind ${articleId}.`)),
    information: [],
  });
