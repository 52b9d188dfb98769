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
  /** The last outcome of each article. */
  readonly outcomes: ReadonlyMap<string, OutcomeFieldsFragment>;
  /** Edits whose outcome is unknown, until somebody has looked at their articles. */
  readonly unknown: Edits;
}

const EMPTY: Work = {
  edits: new Map(),
  underWay: new Set(),
  sent: new Map(),
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
  /** Outcomes of writes that are no edits, by the keys of their articles. */
  tell(outcomes: readonly (readonly [string, OutcomeFieldsFragment])[]): void;
  /** Somebody has looked at an article whose outcome was unknown: it goes back among the edits, or is forgotten. */
  resolveUnknown(key: string, again: Edit | null): void;
}

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

/** Updated edits are done, unknown ones have a view of their own, and the others stay. An edit that has changed meanwhile stays, too. */
const end =
  (jobId: string, outcomes: readonly OutcomeFieldsFragment[]): Action =>
  (work) => {
    const sent = work.sent.get(jobId) ?? [];
    const ended = outcomes.flatMap((outcome) => {
      const item = sent[outcome.index];
      return item ? [{ outcome, item, key: keyOf(item.article) }] : [];
    });
    const unknown = ended.filter(({ outcome }) => outcome.__typename === 'ArticleUpdateUnknown');
    const updated = ended.filter(({ outcome }) => outcome.__typename === 'ArticleUpdated');
    const unchanged = [...unknown, ...updated].filter(({ key, item }) => work.edits.get(key) === item);
    const keys = new Set(sent.map(({ article }) => keyOf(article)));
    return {
      edits: without(
        work.edits,
        unchanged.map(({ key }) => key),
      ),
      unknown: new Map([...work.unknown, ...unknown.map(({ key, item }) => [key, item] as const)]),
      outcomes: new Map([...work.outcomes, ...ended.map(({ key, outcome }) => [key, outcome] as const)]),
      underWay: new Set([...work.underWay].filter((key) => !keys.has(key))),
      sent: without(work.sent, [jobId]),
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
      tell: (outcomes) =>
        dispatch((current) => ({ ...current, outcomes: new Map([...current.outcomes, ...outcomes]) })),
      resolveUnknown: (key, again) => dispatch(resolveUnknown(key, again)),
    }),
    [],
  );
  return [work, actions];
}
