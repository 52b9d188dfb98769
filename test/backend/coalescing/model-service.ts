import type { ArticleOutcome, ArticleUpdate } from '../../../src/domain/articles/bulk-updates.ts';
import {
  type BackendError,
  forbidden,
  outcomeUnknown,
  rateLimited,
  rejected,
  unauthenticated,
  unavailable,
} from '../../../src/domain/errors.ts';
import { HTML_DEPRECATED, type Notice, notice, serviceError } from '../../../src/domain/notices.ts';
import { err } from '../../../src/domain/result.ts';
import { type Answered, answerWith } from './harness.ts';

/** What meets a call on its way, whatever it holds. */
export type Weather =
  | 'fair'
  | 'unavailable'
  | 'rate-limited'
  | 'unauthenticated'
  | 'walled'
  | 'too-large'
  | 'conflict'
  | 'unprocessable'
  | 'success-false'
  | 'lost'
  | 'applied-unseen'
  | 'outcome-unknown'
  | 'throws'
  /** Answered up to that item; the later ones are not attempted. */
  | { readonly cutAt: number };

/** What the service makes of an item; the update carries it as its `source`. */
export const FATES = ['fine', 'failing', 'refused', 'walled', 'remarked', 'quoted', 'deprecated'] as const;

/** Warns of an item without saying which it is. */
const quoting = ({ title }: ArticleUpdate) => notice(`"${title}" is bold.`, '7');

export const isQuoting = ({ code }: Notice): boolean => code === '7';

export interface ModelService {
  /** The last title that each article was given. */
  readonly titles: ReadonlyMap<string, string>;
  /** Answers a call. What it throws is a bug of the backend's. */
  serve(token: string | null, updates: readonly ArticleUpdate[], weather: Weather): Answered;
  /** Of a call that it refuses. */
  appliedBeforeRefusal(updates: readonly ArticleUpdate[], weather: Weather | null): readonly ArticleUpdate[];
  apply(token: string | null, updates: readonly ArticleUpdate[]): void;
}

export const bug = new Error('a bug');

/** A service of one project per token. `isHasty`: it applies what it has read before it refuses a call. */
export function createModelService(isHasty: boolean): ModelService {
  const titles = new Map<string, string>();

  const apply = (token: string | null, updates: readonly ArticleUpdate[]) => {
    for (const { articleId, title, source } of updates) {
      if (source !== 'failing') titles.set(`${token}/${articleId}`, title ?? '');
    }
  };
  const appliedBeforeRefusal = (updates: readonly ArticleUpdate[], weather: Weather | null) => {
    if (!isHasty) return [];
    if (weather === 'conflict' || weather === 'unprocessable') return updates.slice(0, -1);
    if (weather !== 'fair' || updates.some(isWalled)) return [];
    return updates.slice(
      0,
      Math.max(
        0,
        updates.findIndex(({ source }) => source === 'refused'),
      ),
    );
  };
  const serve = (token: string | null, updates: readonly ArticleUpdate[], weather: Weather): Answered => {
    if (typeof weather === 'object') {
      apply(token, updates.slice(0, weather.cutAt));
      const left = updates.slice(weather.cutAt);
      return answerWith([
        ...updates.slice(0, weather.cutAt).map(outcomeOf),
        ...left.map(({ articleId }) => ({ kind: 'not-attempted' as const, articleId, details: 'Cut.' })),
      ]);
    }
    if (weather === 'throws') throw bug;
    if (weather === 'fair') return serveFairly(token, updates);
    apply(token, appliedBeforeRefusal(updates, weather));
    if (weather === 'success-false' || weather === 'applied-unseen') apply(token, updates);
    if (weather === 'lost' || weather === 'applied-unseen') {
      return answerWith(updates.map(({ articleId }) => ({ kind: 'unknown', articleId, details: 'Lost.' })));
    }
    return err(FAILURES[weather](updates));
  };
  const serveFairly = (token: string | null, updates: readonly ArticleUpdate[]): Answered => {
    if (updates.some(isWalled)) return err(forbidden());
    const refused = updates.filter(({ source }) => source === 'refused');
    if (refused.length > 0) {
      apply(token, appliedBeforeRefusal(updates, 'fair'));
      return err(refusal(400, updates.length > 1, refused));
    }
    apply(token, updates);
    return answerWith(updates.map(outcomeOf), {
      warnings: [
        ...(updates.some(({ htmlContent }) => htmlContent) ? [HTML_DEPRECATED] : []),
        ...updates.filter(({ source }) => source === 'quoted').map(quoting),
      ],
      information: updates
        .filter(({ source }) => source === 'remarked')
        .map(({ articleId }) => notice(`The article ${articleId} is remarkable.`)),
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

/** A firewall stops what holds such an item. */
const isWalled = ({ source }: ArticleUpdate): boolean => source === 'walled';

const FAILURES = {
  unavailable: () => unavailable(),
  'rate-limited': () => rateLimited(7),
  unauthenticated: () => unauthenticated(),
  walled: () => forbidden(),
  'too-large': (updates) => refusal(413, false, updates),
  conflict: (updates) => refusal(409, updates.length > 1, updates),
  unprocessable: (updates) => refusal(422, updates.length > 1, updates),
  'success-false': (updates) => refusal(200, true, updates),
  'outcome-unknown': () => outcomeUnknown('gone'),
} as const satisfies Record<string, (updates: readonly ArticleUpdate[]) => BackendError>;

/** Has something to say of each article. */
const refusal = (httpStatus: number, mayHaveApplied: boolean, updates: readonly ArticleUpdate[]): BackendError =>
  rejected({
    httpStatus,
    mayHaveApplied,
    serviceErrors: updates.map(({ articleId }) => serviceError(`The article ${articleId} is refused.`)),
    warnings: updates.map(({ articleId }) => notice(`Mind ${articleId}.`)),
    information: [],
  });
