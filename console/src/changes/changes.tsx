import { useCallback, useMemo, useRef, useState } from 'react';
import { type Edit, inputOf, keyOf, type Seen } from '../articles/edits.ts';
import { counted } from '../counted.ts';
import { PreviewBulkUpdateArticlesDocument } from '../generated/graphql.ts';
import { Button, Check, Pane, SendButton, useQuestion } from '../parts.tsx';
import { useShared } from '../shared.ts';
import { ChangeList } from './change-list.tsx';
import { type CheckedEdit, isOfPublished, usePreviews } from './preview.ts';
import { NEW_DRAFTS, PublishedChoice, type PublishedRule } from './published-choice.tsx';
import { type Attempt, createKey, submitJob } from './submit.ts';

/** The most items of one preview. */
const MOST_ITEMS = 500;

/** Shows the preview of all unsent changes, the failing ones first, and the button that sends them. */
export function Changes() {
  const { api, work, actions } = useShared();
  const edits = useMemo(
    () => [...work.edits].filter(([key]) => !work.underWay.has(key)).map(([, edit]) => edit),
    [work.edits, work.underWay],
  );
  const [rule, setRule] = useState(NEW_DRAFTS);
  const { dialog, ask } = useQuestion();
  const userId = rule.ifPublished === 'FORK' ? rule.userId : '';
  const preview = useCallback(
    (part: readonly Edit[]) => {
      const articles = part.map((edit) => inputOf(edit));
      const input = userId === '' ? { articles } : ({ articles, ifPublished: 'FORK', userId } as const);
      return api.send(PreviewBulkUpdateArticlesDocument, { input });
    },
    [api, userId],
  );
  const previews = usePreviews(edits, preview, MOST_ITEMS);
  const { checked } = previews;
  const decide = useDecide();
  const drop = (items: readonly CheckedEdit[]) => actions.drop(items.map(({ edit }) => keyOf(edit.article)));
  if (edits.length === 0) return <p className="bar">There are no changes. Edit cells of the articles to make some.</p>;
  const published = checked.filter(({ edit, preview }) => isOfPublished(edit, preview));
  const discard = async () => {
    if (await ask('Discard all changes that are not sent?', 'Discard')) actions.drop([...work.edits.keys()]);
  };
  return (
    <Pane title={counted(edits.length, 'change')} beside={<Button onClick={discard}>Discard all</Button>}>
      {dialog}
      <ChangeList
        previews={previews}
        total={edits.length}
        onDrop={drop}
        onDecide={decide}
        onChange={(article, change) => actions.edit([[article, change]])}
      >
        {published.length > 0 && (
          <div className="bar">
            <strong>{counted(published.length, 'change')} of published versions.</strong>
            <PublishedChoice rule={rule} onChange={setRule} />
          </div>
        )}
      </ChangeList>
      <Send edits={edits} checked={checked} published={published} rule={rule} />
    </Pane>
  );
}

/** Keeps or drops what would take the place of other values than were seen. Either way, theirs are shown in the list. */
function useDecide() {
  const { actions, showUpdated } = useShared();
  return (items: readonly CheckedEdit[], isMine: boolean, name?: keyof Seen) => {
    const decided = items.map(({ edit, conflicts }) => {
      const wanted = conflicts.filter((one) => name === undefined || one.name === name);
      return { edit, now: Object.fromEntries(wanted.map((one) => [one.name, one.now])) };
    });
    const dropped = (now: object) => Object.fromEntries(Object.keys(now).map((member) => [member, undefined]));
    if (isMine) actions.keep(decided.map(({ edit, now }) => ({ ...edit, seen: { ...edit.seen, ...now } })));
    else actions.edit(decided.map(({ edit: { article }, now }) => [article, dropped(now)]));
    showUpdated(decided.map(({ edit: { article }, now }) => ({ article, change: now })));
  };
}

/**
 * The calls of a job that keeps the values from before: its reads, its smaller writes, and a list after each. Texts are
 * read one by one and written ten at a time, all else in hundreds.
 */
function callsToKeep(edits: readonly Edit[]): number {
  const texts = edits.filter(({ change }) => change.content !== undefined).length;
  return texts + 2 * Math.ceil(texts / 10) + 3 * Math.ceil((edits.length - texts) / 100);
}

/** The languages of an article one after another, since the revisions of items that are near are compared together. */
const byArticle = (edits: readonly Edit[]): readonly Edit[] =>
  [...Map.groupBy(edits, ({ article: { articleId } }) => articleId).values()].flat();

interface SendProps {
  edits: readonly Edit[];
  checked: readonly CheckedEdit[];
  /** Those that change a published version. */
  published: readonly CheckedEdit[];
  rule: PublishedRule;
}

function Send({ edits, checked, published, rule: { ifPublished, userId } }: SendProps) {
  const { api, actions, changeView } = useShared();
  const attempt = useRef<Attempt | null>(null);
  const [keepsBefore, setKeepsBefore] = useState(true);
  const forks = published.length > 0 && ifPublished === 'FORK';
  const left = new Set(ifPublished === 'SKIP' ? published.map(({ edit }) => edit) : []);
  const undecided = new Set(checked.flatMap(({ edit, conflicts }) => (conflicts[0] ? edit : [])));
  const sent = byArticle(edits.filter((edit) => !left.has(edit) && !undecided.has(edit)));
  const terms = {
    keepBefore: keepsBefore ? 'ALWAYS' : 'NEVER',
    ifPublished: published.length > 0 ? ifPublished : 'UPDATE',
    ...(forks && { userId }),
  } as const;
  const send = async () => {
    const revisions = new Map(checked.map(({ edit, preview }) => [edit, preview.revision] as const));
    const text = JSON.stringify([sent, terms]);
    if (attempt.current?.text !== text) attempt.current = { text, edits: sent, revisions, terms, key: createKey() };
    const submitted = await submitJob(api, attempt.current);
    if ('problem' in submitted) return submitted.problem;
    actions.submit(submitted.jobId, sent);
    changeView({ tab: 'jobs' });
    return null;
  };
  const calls = (keepsBefore ? callsToKeep(sent) : 0) + (forks ? published.length : 0);
  return (
    <div className="bar foot">
      <SendButton
        label={`Send ${counted(sent.length, 'change')}`}
        isReady={checked.length === edits.length && sent.length > 0 && !(forks && userId === '')}
        send={send}
      />
      <Check
        label="Keep the values from before, so that this can be undone"
        checked={keepsBefore}
        onChange={setKeepsBefore}
      />
      <span className="hint">
        {forks && userId === '' && 'Choose in whose name the new drafts are made. '}
        {undecided.size > 0 && `${counted(undecided.size, 'change')} will not be sent before you decide. `}
        {left.size > 0 && `${counted(left.size, 'change')} of published versions will not be sent. `}
        {calls > 0 && `About ${calls} more calls where a service has the articles. `}
        {keepsBefore && 'What cannot be kept is not sent.'}
      </span>
    </div>
  );
}
