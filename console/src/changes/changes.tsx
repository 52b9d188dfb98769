import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { Api } from '../api.ts';
import { type Edit, keyOf } from '../articles/edits.ts';
import { Button, Check, counted, Pane, SendButton } from '../parts.tsx';
import { useShared } from '../shared.ts';
import { ChangeList, type CheckedEdit } from './change-list.tsx';
import { NO_PREVIEWS, type Previews, previewEdits } from './preview.ts';
import { type Attempt, createKey, submitJob } from './submit.ts';

const QUESTION = 'Discard all changes that are not sent?';

/** Shows the preview of all unsent changes, the failing ones first, and the button that sends them. */
export function Changes() {
  const { api, work, actions } = useShared();
  const edits = useMemo(
    () => [...work.edits].filter(([key]) => !work.underWay.has(key)).map(([, edit]) => edit),
    [work.edits, work.underWay],
  );
  const { previews, recheck } = usePreviews(api, edits);
  const checked = edits.flatMap((edit): readonly CheckedEdit[] => {
    const preview = previews.items.get(edit);
    return preview ? [{ edit, preview }] : [];
  });
  const drop = useCallback(
    (items: readonly CheckedEdit[]) => actions.drop(items.map(({ edit }) => keyOf(edit.article))),
    [actions],
  );
  if (edits.length === 0) return <p className="bar">There are no changes. Edit cells of the articles to make some.</p>;
  const discard = (
    <Button onClick={() => confirm(QUESTION) && actions.drop([...work.edits.keys()])}>Discard all</Button>
  );
  return (
    <Pane title={counted(edits.length, 'change')} beside={discard}>
      {previews.warnings.map((warning) => (
        <p key={warning} className="bar doubt">
          {warning}
        </p>
      ))}
      <ChangeList checked={checked} total={edits.length} problem={previews.problem} onAgain={recheck} onDrop={drop} />
      <Send edits={edits} isReady={checked.length === edits.length} />
    </Pane>
  );
}

/** The previews of edits. New and changed edits are checked. */
function usePreviews(api: Api, edits: readonly Edit[]) {
  const [previews, setPreviews] = useState<Previews>(NO_PREVIEWS);
  const latest = useRef({ previews: NO_PREVIEWS, run: 0 });
  const check = useCallback(async () => {
    const run = ++latest.current.run;
    await previewEdits(api, { edits, known: latest.current.previews }, (next) => {
      const isWanted = run === latest.current.run;
      if (isWanted) {
        latest.current.previews = next;
        setPreviews(next);
      }
      return isWanted;
    });
  }, [api, edits]);
  useEffect(() => {
    const { current } = latest;
    void check();
    return () => {
      current.run++;
    };
  }, [check]);
  return { previews, recheck: () => void check() };
}

/**
 * The calls of a job that keeps the values from before: its reads, its smaller writes, and a list after each. Texts are
 * read one by one and written ten at a time, all else in hundreds.
 */
function callsToKeep(edits: readonly Edit[]): number {
  const texts = edits.filter(({ change }) => change.content !== undefined).length;
  return texts + 2 * Math.ceil(texts / 10) + 3 * Math.ceil((edits.length - texts) / 100);
}

function Send({ edits, isReady }: { edits: readonly Edit[]; isReady: boolean }) {
  const { api, actions, changeView } = useShared();
  const attempt = useRef<Attempt>({ key: '', edits: [], keepsBefore: false });
  const [keepsBefore, setKeepsBefore] = useState(true);
  const send = async () => {
    const { current } = attempt;
    const isSame =
      current.keepsBefore === keepsBefore &&
      current.edits.length === edits.length &&
      current.edits.every((edit, index) => edit === edits[index]);
    if (!isSame) attempt.current = { key: createKey(), edits, keepsBefore };
    const submitted = await submitJob(api, attempt.current);
    if ('problem' in submitted) return submitted.problem;
    actions.submit(submitted.jobId, edits);
    changeView({ tab: 'jobs' });
    return null;
  };
  return (
    <div className="bar">
      <Check
        label="Keep the values from before, so that this can be undone"
        checked={keepsBefore}
        onChange={setKeepsBefore}
      />
      <span className="hint">
        {keepsBefore &&
          `About ${callsToKeep(edits)} more calls where a service has the articles. What cannot be kept is not sent.`}
      </span>
      <SendButton label={`Send ${counted(edits.length, 'change')}`} isReady={isReady} send={send} />
    </div>
  );
}
