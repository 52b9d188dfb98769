import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { Api } from '../api.ts';
import { type Edit, keyOf } from '../articles/edits.ts';
import type { Work, WorkActions } from '../work.ts';
import { ChangeList, type CheckedEdit } from './change-list.tsx';
import { NO_PREVIEWS, type Previews, previewEdits } from './preview.ts';
import { type Attempt, createKey, submitJob } from './submit.ts';

interface ChangesProps {
  api: Api;
  work: Work;
  actions: WorkActions;
  onSent: () => void;
}

const QUESTION = 'Discard all changes that are not sent?';

/** All changes that are not sent yet, as the gateway sees them, with what would fail first; then the button that sends them. */
export function Changes({ api, work, actions, onSent }: ChangesProps) {
  const edits = useMemo(
    () => [...work.edits].filter(([key]) => !work.underWay.has(key)).map(([, edit]) => edit),
    [work.edits, work.underWay],
  );
  const { previews, recheck } = usePreviews(api, edits);
  const checked = edits.flatMap((edit): readonly CheckedEdit[] => {
    const preview = previews.items.get(edit);
    return preview ? [{ edit, preview }] : [];
  });
  const failing = checked.filter(({ preview }) => !preview.wouldSucceed);
  const idle = checked.filter(({ preview }) => preview.wouldSucceed && preview.changes.length === 0);
  const rest = checked.filter((item) => !failing.includes(item) && !idle.includes(item));
  const drop = useCallback(
    (items: readonly CheckedEdit[]) => actions.drop(items.map(({ edit }) => keyOf(edit.article))),
    [actions],
  );
  const isChecked = checked.length === edits.length;
  if (edits.length === 0) return <p className="bar">There are no changes. Edit cells of the articles to make some.</p>;
  return (
    <section className="pane" aria-labelledby="changes">
      <h2 id="changes" className="bar">
        {edits.length} {edits.length === 1 ? 'change' : 'changes'}
      </h2>
      <p className="bar">
        <button type="button" onClick={() => confirm(QUESTION) && actions.drop([...work.edits.keys()])}>
          Discard all
        </button>
      </p>
      <p className="bar" role="status">
        {isChecked
          ? `Checked: ${rest.length} can be sent, ${failing.length} would fail, ${idle.length} would change nothing.`
          : previews.problem === null && `Checking… ${checked.length} of ${edits.length}`}
      </p>
      {previews.problem !== null && (
        <p className="bar bad" role="alert">
          {previews.problem}{' '}
          <button type="button" onClick={recheck}>
            Check again
          </button>
        </p>
      )}
      {previews.warnings.map((warning) => (
        <p key={warning} className="bar doubt">
          {warning}
        </p>
      ))}
      <ChangeList items={[...failing, ...idle, ...rest]} onDrop={drop} />
      <p className="bar">
        {failing.length > 0 && (
          <button type="button" onClick={() => drop(failing)}>
            Leave out the {failing.length} that would fail
          </button>
        )}
        {idle.length > 0 && (
          <button type="button" onClick={() => drop(idle)}>
            Leave out the {idle.length} that would change nothing
          </button>
        )}
      </p>
      <SendButton {...{ api, edits, isChecked, actions, onSent }} />
    </section>
  );
}

/** The previews of edits. Those that were not checked yet are, also when an edit has changed. */
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

interface SendButtonProps extends Pick<ChangesProps, 'api' | 'actions' | 'onSent'> {
  edits: readonly Edit[];
  isChecked: boolean;
}

/** The reads of a job before it writes, and its smaller writes: texts are read one by one and written ten at a time, all else goes by the hundred. */
function callsToKeep(edits: readonly Edit[]): number {
  const texts = edits.filter(({ change }) => change.content !== undefined).length;
  return texts + Math.ceil(texts / 10) + 2 * Math.ceil((edits.length - texts) / 100);
}

/** What has no response is sent again with its key, so that it is not done twice. */
function SendButton({ api, edits, isChecked, actions, onSent }: SendButtonProps) {
  const [attempt, setAttempt] = useState<Attempt | null>(null);
  const [keepsBefore, setKeepsBefore] = useState(true);
  const [problem, setProblem] = useState<string | null>(null);
  const [isSending, setIsSending] = useState(false);
  const send = async () => {
    const isSame =
      attempt !== null &&
      attempt.keepsBefore === keepsBefore &&
      attempt.edits.length === edits.length &&
      attempt.edits.every((edit, index) => edit === edits[index]);
    const current = isSame ? attempt : { key: createKey(), edits, keepsBefore };
    setAttempt(current);
    setIsSending(true);
    setProblem(null);
    const submitted = await submitJob(api, current);
    setIsSending(false);
    if ('problem' in submitted) return setProblem(submitted.problem);
    actions.submit(submitted.jobId, current.edits);
    onSent();
  };
  return (
    <div className="bar">
      <label>
        <input type="checkbox" checked={keepsBefore} onChange={({ target }) => setKeepsBefore(target.checked)} />
        Keep what stands there before, so that this can be undone
      </label>
      <span className="hint">
        {keepsBefore &&
          `About ${callsToKeep(edits)} more calls where a service has the articles. What cannot be kept is not sent.`}
      </span>
      <button type="button" className="primary" disabled={!isChecked || isSending} onClick={send}>
        {problem === null ? `Send ${edits.length} ${edits.length === 1 ? 'change' : 'changes'}` : 'Try again'}
      </button>
      <span role="status">{isSending && 'Sending…'}</span>
      {problem !== null && (
        <span className="bad" role="alert">
          {problem} Trying again is safe: nothing is done twice.
        </span>
      )}
    </div>
  );
}
