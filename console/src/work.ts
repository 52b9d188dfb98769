import { useMemo, useReducer } from 'react';
import { type ArticleChange, type Edit, type Edits, keyOf, withChange } from './articles/edits.ts';
import type { ArticleFieldsFragment, OutcomeFieldsFragment } from './generated/graphql.ts';

/** The edits of a job that this page has submitted, in their order. */
export type SentEdits = readonly Edit[];

/** The changes that this page knows: unsent ones, those in progress, and the outcomes of the last ones. */
export interface Work {
  readonly edits: Edits;
  /** The keys of edits in jobs that have not ended. */
  readonly underWay: ReadonlySet<string>;
  readonly sent: ReadonlyMap<string, SentEdits>;
  /** The edits of the last ended jobs of this page that may have taken effect, in the order in which an undo lists them. */
  readonly ended: ReadonlyMap<string, SentEdits>;
  /** The last outcome of each article. */
  readonly outcomes: ReadonlyMap<string, OutcomeFieldsFragment>;
  /** Edits with an unknown outcome that nobody has resolved. */
  readonly unknown: Edits;
}

const EMPTY: Work = {
  edits: new Map(),
  underWay: new Set(),
  sent: new Map(),
  ended: new Map(),
  outcomes: new Map(),
  unknown: new Map(),
};

export interface WorkActions {
  edit(changes: readonly (readonly [ArticleFieldsFragment, ArticleChange])[]): void;
  /** Forgets unsent edits. */
  drop(keys: readonly string[]): void;
  /** Moves edits to the job in progress that sends them. */
  submit(jobId: string, sent: SentEdits): void;
  /** Ends a job with its outcomes. */
  end(jobId: string, outcomes: readonly OutcomeFieldsFragment[]): void;
  /** Adds the outcomes of writes that are no jobs. */
  record(ended: readonly Ended[]): void;
  /** Resolves an unknown outcome: the edit is unsent again, or forgotten. */
  resolveUnknown(key: string, again: Edit | null): void;
}

/** The end of an edit that was sent. */
interface Ended {
  readonly item: Edit;
  readonly outcome: OutcomeFieldsFragment;
}

/** The number of last jobs whose edits are remembered. */
const MOST_ENDED = 50;

type Action = (work: Work) => Work;

const without = <Value>(map: ReadonlyMap<string, Value>, keys: Iterable<string>): ReadonlyMap<string, Value> => {
  const next = new Map(map);
  for (const key of keys) next.delete(key);
  return next;
};

const edit =
  (changes: Parameters<WorkActions['edit']>[0]): Action =>
  (work) => ({
    ...work,
    edits: changes.reduce((edits, [article, change]) => withChange(edits, article, change), work.edits),
  });

const submit =
  (jobId: string, sent: SentEdits): Action =>
  (work) => {
    const keys = sent.map(({ article }) => keyOf(article));
    return {
      ...work,
      sent: new Map(work.sent).set(jobId, sent),
      underWay: new Set([...work.underWay, ...keys]),
      outcomes: without(work.outcomes, keys),
    };
  };

const isUpdated = ({ outcome }: Ended) => outcome.__typename === 'ArticleUpdated';
const isUnknown = ({ outcome }: Ended) => outcome.__typename === 'ArticleUpdateUnknown';
const keyIn = ({ item }: Ended) => keyOf(item.article);

/**
 * Records outcomes. Updated edits are done, unknown ones have a view of their own, and the others remain. An edit that
 * was changed meanwhile remains, too.
 */
const record =
  (ended: readonly Ended[]): Action =>
  (work) => {
    const done = ended.filter((end) => isUpdated(end) || isUnknown(end));
    const unchanged = done.filter((end) => work.edits.get(keyIn(end)) === end.item);
    return {
      ...work,
      edits: without(work.edits, unchanged.map(keyIn)),
      unknown: new Map([
        ...without(work.unknown, ended.filter(isUpdated).map(keyIn)),
        ...ended.filter(isUnknown).map((end) => [keyIn(end), end.item] as const),
      ]),
      outcomes: new Map([...work.outcomes, ...ended.map((end) => [keyIn(end), end.outcome] as const)]),
    };
  };

const end =
  (jobId: string, outcomes: readonly OutcomeFieldsFragment[]): Action =>
  (work) => {
    const sent = work.sent.get(jobId) ?? [];
    const ended = outcomes.flatMap((outcome) => {
      const item = sent[outcome.index];
      return item?.article.articleId === outcome.articleId ? [{ outcome, item }] : [];
    });
    const undone = ended
      .filter((one) => isUpdated(one) || isUnknown(one))
      .map(({ item: { article } }): Edit => ({ article, change: {}, aim: 'undo' }));
    const keys = new Set(sent.map(({ article }) => keyOf(article)));
    return {
      ...record(ended)(work),
      underWay: new Set([...work.underWay].filter((key) => !keys.has(key))),
      sent: without(work.sent, [jobId]),
      ended: new Map([...work.ended, [jobId, undone.toReversed()] as const].slice(-MOST_ENDED)),
    };
  };

const resolveUnknown =
  (key: string, again: Edit | null): Action =>
  (work) => ({
    ...work,
    unknown: without(work.unknown, [key]),
    outcomes: without(work.outcomes, [key]),
    edits: again ? withChange(work.edits, again.article, again.change) : work.edits,
  });

export function useWork(): readonly [Work, WorkActions] {
  const [work, dispatch] = useReducer((current: Work, action: Action) => action(current), EMPTY);
  const actions = useMemo<WorkActions>(
    () => ({
      edit: (changes) => dispatch(edit(changes)),
      drop: (keys) => dispatch((current) => ({ ...current, edits: without(current.edits, keys) })),
      submit: (jobId, sent) => dispatch(submit(jobId, sent)),
      end: (jobId, outcomes) => dispatch(end(jobId, outcomes)),
      record: (ended) => dispatch(record(ended)),
      resolveUnknown: (key, again) => dispatch(resolveUnknown(key, again)),
    }),
    [],
  );
  return [work, actions];
}
