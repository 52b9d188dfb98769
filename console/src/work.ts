import { useMemo, useReducer } from 'react';
import { type ArticleChange, type Edit, type Edits, keyOf, withChange } from './articles/edits.ts';
import type { ArticleFieldsFragment, OutcomeFieldsFragment } from './generated/graphql.ts';

/** A job that this page has submitted, with its items in their order. */
export type SentEdits = readonly Edit[];

/** What this page knows of changes: those that are not sent yet, those under way, and how the last ones ended. */
export interface Work {
  readonly edits: Edits;
  /** Edits that are part of a job that has not ended. */
  readonly underWay: ReadonlySet<string>;
  readonly sent: ReadonlyMap<string, SentEdits>;
  /** What may have changed in the last jobs of this page that have ended, in the order in which an undo has it. */
  readonly ended: ReadonlyMap<string, SentEdits>;
  /** The last outcome of each article. */
  readonly outcomes: ReadonlyMap<string, OutcomeFieldsFragment>;
  /** Edits whose outcome is unknown, until somebody has looked at their articles. */
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
  /** Forgets edits that are not sent. */
  drop(keys: readonly string[]): void;
  /** The edits are under way as this job. */
  submit(jobId: string, sent: SentEdits): void;
  /** The job has ended with these outcomes. */
  end(jobId: string, outcomes: readonly OutcomeFieldsFragment[]): void;
  /** Outcomes of writes that are no jobs. */
  tell(ended: readonly Ended[]): void;
  /** Somebody has looked at an article whose outcome was unknown: it goes back among the edits, or is forgotten. */
  resolveUnknown(key: string, again: Edit | null): void;
}

/** How something has ended that was sent. */
interface Ended {
  readonly item: Edit;
  readonly outcome: OutcomeFieldsFragment;
}

/** The last jobs of which it is known what they were about. */
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

/** Updated edits are done, unknown ones have a view of their own, and the others stay. An edit that has changed meanwhile stays, too. */
const tell =
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
      ...tell(ended)(work),
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
      tell: (ended) => dispatch(tell(ended)),
      resolveUnknown: (key, again) => dispatch(resolveUnknown(key, again)),
    }),
    [],
  );
  return [work, actions];
}
