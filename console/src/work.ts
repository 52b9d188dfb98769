import { useMemo, useReducer } from 'react';
import { afterOwnWrite, type Changed, type Edit, type Edits, keyOf, withChanges } from './articles/edits.ts';
import type { OutcomeFieldsFragment } from './generated/graphql.ts';

/** The edits of a job that this page has submitted, in their order. */
export type SentEdits = readonly Edit[];

/** The changes that this page knows: unsent ones, those in progress, and the outcomes of the last ones. */
export interface Work {
  readonly edits: Edits;
  /** The keys of edits in jobs that have not ended. */
  readonly underWay: ReadonlySet<string>;
  readonly sent: ReadonlyMap<string, SentEdits>;
  readonly ended: ReadonlyMap<string, EndedJob>;
  /** The last outcome of each article, with the edit that had it. */
  readonly outcomes: ReadonlyMap<string, Ended>;
  /** Edits with an unknown outcome that nobody has resolved. */
  readonly unknown: Edits;
  /** The steps that can be undone, the last one at the end. */
  readonly past: readonly Step[];
  /** The steps that were undone, the last one at the end. */
  readonly future: readonly Step[];
}

interface EndedJob {
  /** The edits that may have taken effect, in the order in which an undo lists them. */
  readonly toUndo: SentEdits;
  readonly rest: readonly Ended[];
}

/** What one action did to the edits of some articles. An article without an edit has null. */
interface Step {
  /** True where it edits a text, which is one step as long as nothing else is edited. */
  readonly isText: boolean;
  readonly before: EditsOfStep;
  readonly after: EditsOfStep;
}

type EditsOfStep = ReadonlyMap<string, Edit | null>;

const EMPTY: Work = {
  edits: new Map(),
  underWay: new Set(),
  sent: new Map(),
  ended: new Map(),
  outcomes: new Map(),
  unknown: new Map(),
  past: [],
  future: [],
};

/** The end of an edit that was sent. */
export interface Ended {
  readonly item: Edit;
  readonly outcome: OutcomeFieldsFragment;
}

const MOST_ENDED = 50;

const MOST_STEPS = 100;

type Action = (work: Work) => Work;

const without = <Value>(map: ReadonlyMap<string, Value>, keys: Iterable<string>): ReadonlyMap<string, Value> => {
  const next = new Map(map);
  for (const key of keys) next.delete(key);
  return next;
};

/** Changes edits, as a step that can be undone. */
function withStep(work: Work, edits: Edits, isText: boolean): Work {
  const keys = new Set([...work.edits.keys(), ...edits.keys()]);
  const touched = [...keys].filter((key) => edits.get(key) !== work.edits.get(key));
  if (touched.length === 0) return work;
  const of = (map: Edits): EditsOfStep => new Map(touched.map((key) => [key, map.get(key) ?? null]));
  const last = work.past.at(-1);
  const isSame = isText && last?.isText && touched.every((key) => last.after.has(key));
  const added: Step = { isText, before: isSame ? last.before : of(work.edits), after: of(edits) };
  const past = [...(isSame ? work.past.slice(0, -1) : work.past), added].slice(-MOST_STEPS);
  return { ...work, edits, past, future: [] };
}

/** The edits with those of a step in place of the present ones. */
function withEdits(edits: Edits, ofStep: EditsOfStep): Edits {
  const next = new Map(edits);
  for (const [key, one] of ofStep)
    if (one === null) next.delete(key);
    else next.set(key, one);
  return next;
}

/** Takes the last step of one list back, or does it again, and adds it to the other list. */
const step =
  (from: 'past' | 'future', to: 'past' | 'future'): Action =>
  (work) => {
    const last = work[from].at(-1);
    if (last === undefined) return work;
    const edits = withEdits(work.edits, from === 'past' ? last.before : last.after);
    return { ...work, edits, [from]: work[from].slice(0, -1), [to]: [...work[to], last] };
  };

/** The steps without what they did to some articles, since that has been sent: a job undoes it. */
function stepsWithout(steps: readonly Step[], keys: readonly string[]): readonly Step[] {
  return steps
    .map((step) => ({ ...step, before: without(step.before, keys), after: without(step.after, keys) }))
    .filter(({ after }) => after.size > 0);
}

const submit =
  (jobId: string, sent: SentEdits): Action =>
  (work) => {
    const keys = sent.map(({ article }) => keyOf(article));
    return {
      ...work,
      sent: new Map(work.sent).set(jobId, sent),
      underWay: new Set([...work.underWay, ...keys]),
      outcomes: without(work.outcomes, keys),
      past: stepsWithout(work.past, keys),
      future: stepsWithout(work.future, keys),
    };
  };

type Outcome = Pick<Ended, 'outcome'>;
const isUpdated = ({ outcome }: Outcome) => outcome.__typename === 'ArticleUpdated';
const isUnknown = ({ outcome }: Outcome) => outcome.__typename === 'ArticleUpdateUnknown';
const isDone = (one: Outcome) => isUpdated(one) || isUnknown(one);
const keyIn = ({ item }: Ended) => keyOf(item.article);

/**
 * Records outcomes. Updated edits are done, unknown ones have a view of their own, and the others remain. An edit that
 * was changed meanwhile remains, too.
 */
const record =
  (ended: readonly Ended[]): Action =>
  (work) => {
    const edits = new Map(work.edits);
    for (const one of ended.filter(isDone)) {
      const edit = edits.get(keyIn(one));
      if (edit === one.item) edits.delete(keyIn(one));
      // What may have been written is not known.
      else if (edit)
        edits.set(keyIn(one), afterOwnWrite(edit, isUpdated(one) ? { ...edit.seen, ...one.item.change } : {}));
    }
    return {
      ...work,
      edits,
      unknown: new Map([
        ...without(work.unknown, ended.filter(isUpdated).map(keyIn)),
        ...ended.filter(isUnknown).map((end) => [keyIn(end), end.item] as const),
      ]),
      outcomes: new Map([...work.outcomes, ...ended.map((end) => [keyIn(end), end] as const)]),
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
    const undone = ended.filter(isDone).map(({ item: { article } }): Edit => ({ article, change: {}, aim: 'undo' }));
    const keys = new Set(sent.map(({ article }) => keyOf(article)));
    const recorded = record(ended)(work);
    // The page does not know what an undo has put back.
    const isUndo = sent.every(({ aim }) => aim === 'undo');
    const putBack = isUndo ? outcomes.filter((outcome) => isDone({ outcome })).map(({ articleId }) => articleId) : [];
    const edits = new Map(recorded.edits);
    for (const [key, edit] of edits)
      if (putBack.includes(edit.article.articleId)) edits.set(key, afterOwnWrite(edit, {}));
    const endedJob = { toUndo: undone.toReversed(), rest: ended.filter((one) => !isUpdated(one)) };
    const done = undone.map(({ article }) => keyOf(article));
    return {
      ...recorded,
      edits,
      past: stepsWithout(work.past, done),
      future: stepsWithout(work.future, done),
      underWay: new Set([...work.underWay].filter((key) => !keys.has(key))),
      sent: without(work.sent, [jobId]),
      ended: new Map([...work.ended, [jobId, endedJob] as const].slice(-MOST_ENDED)),
    };
  };

const resolveUnknown =
  (key: string, again: Edit | null): Action =>
  (work) => ({
    ...work,
    unknown: without(work.unknown, [key]),
    outcomes: without(work.outcomes, [key]),
    edits: again ? withChanges(work.edits, [[again.article, again.change]], again.reason) : work.edits,
  });

const actionsOf = (dispatch: (action: Action) => void) => ({
  /** Adds changes as one step, or to the last step where that edits the same text. */
  edit: (
    changes: readonly Changed[],
    { isText = false, reason }: { readonly isText?: boolean; readonly reason?: string | undefined } = {},
  ) => dispatch((work) => withStep(work, withChanges(work.edits, changes, reason), isText)),
  /** Puts a change on top of the article as it is now, in place of its edit. */
  rebase: (...[article, change]: Changed) =>
    dispatch((work) => {
      const others = without(work.edits, [keyOf(article)]);
      return withStep(work, withChanges(others, [[article, change]]), false);
    }),
  /** Keeps edits where other values are there now, which the person has seen by that. */
  keep: (kept: readonly Edit[]) =>
    dispatch((work) => {
      const edits = kept.map((edit) => [keyOf(edit.article), edit] as const);
      return withStep(work, new Map([...work.edits, ...edits]), false);
    }),
  undo: () => dispatch(step('past', 'future')),
  redo: () => dispatch(step('future', 'past')),
  drop: (keys: readonly string[]) => dispatch((work) => withStep(work, without(work.edits, keys), false)),
  /** Moves edits to the job in progress that sends them. */
  submit: (jobId: string, sent: SentEdits) => dispatch(submit(jobId, sent)),
  end: (jobId: string, outcomes: readonly OutcomeFieldsFragment[]) => dispatch(end(jobId, outcomes)),
  /** Adds the outcomes of writes that are no jobs. */
  record: (ended: readonly Ended[]) => dispatch(record(ended)),
  /** Resolves an unknown outcome: the edit is unsent again, or forgotten. */
  resolveUnknown: (key: string, again: Edit | null) => dispatch(resolveUnknown(key, again)),
});

export type WorkActions = ReturnType<typeof actionsOf>;

export function useWork(): readonly [Work, WorkActions] {
  const [work, dispatch] = useReducer((current: Work, action: Action) => action(current), EMPTY);
  const actions = useMemo(() => actionsOf(dispatch), []);
  return [work, actions];
}
