import { useState } from 'react';
import { findArticles } from '../articles/article-list.ts';
import { download } from '../articles/csv-buttons.tsx';
import { keyOf } from '../articles/edits.ts';
import {
  CancelArticleUpdateJobDocument,
  type JobFieldsFragment,
  ResumeArticleUpdateJobDocument,
} from '../generated/graphql.ts';
import { Button, Pane, Problem, useQuestion } from '../parts.tsx';
import { useShared } from '../shared.ts';
import { failuresCsv, NOT_UPDATED } from './failures.ts';
import { jobNameOf } from './job-name.ts';
import { JobResults } from './job-results.tsx';
import { begunText, rateText, stateText, timeLeftText } from './job-state.ts';
import { Undo } from './undo.tsx';
import { type Jobs as JobsState, readOutcomes } from './use-jobs.ts';

/** The jobs of the caller, also those submitted by another page or by the command line. */
export function Jobs({ state: { jobs, problem, reload } }: { state: JobsState }) {
  const { work, actions } = useShared();
  return (
    <Pane title="Jobs">
      <Problem text={problem} onAgain={reload} />
      {jobs.length === 0 && problem === null && (
        <p className="bar">There are no jobs. Changes that are sent become one.</p>
      )}
      <ul aria-label="Jobs" className="scroll cards">
        {jobs.map((job) => (
          <li key={job.id}>
            <Job
              job={job}
              revert={jobs.find(({ revertOf }) => revertOf?.id === job.id)}
              onChanged={reload}
              onUndone={(revertId) => actions.submit(revertId, work.ended.get(job.id)?.toUndo ?? [])}
            />
          </li>
        ))}
      </ul>
    </Pane>
  );
}

interface JobProps {
  job: JobFieldsFragment;
  /** The latest job that undoes it. */
  revert: JobFieldsFragment | undefined;
  onChanged: () => void;
  onUndone: (revertId: string) => void;
}

function Job({ job, revert, onUndone, onChanged }: JobProps) {
  const { mayWrite, callerName } = useShared();
  const [shown, setShown] = useState<'items' | 'undo' | null>(null);
  const { done, state } = job;
  const toggle = (name: 'items' | 'undo') => setShown(shown === name ? null : name);
  return (
    <article aria-label={`${jobNameOf(job)}, ${begunText(job)}`} className="stack">
      <div className="inline apart">
        <h3>{jobNameOf(job)}</h3>
        {mayWrite && !done && <ChangeButton job={job} onChanged={onChanged} name="Cancel" />}
        {mayWrite && state === 'PAUSED' && <ChangeButton job={job} onChanged={onChanged} name="Resume" />}
        <Button aria-expanded={shown === 'items'} onClick={() => toggle('items')}>
          Items
        </Button>
        {mayWrite && job.isRevertible && (
          <Button aria-expanded={shown === 'undo'} onClick={() => toggle('undo')}>
            Undo…
          </Button>
        )}
      </div>
      <p className="hint">
        {begunText(job)}, by {callerName ?? 'you'}
        {job.revertOf && `. Undoes the job of ${begunText(job.revertOf)}`}
        {revert && `. Undone by the job of ${begunText(revert)}`}
      </p>
      <div className="inline">
        <span role="status">{stateText(job)}</span>
        <JobProgress job={job} />
        {!done && (
          <span className="hint">
            {rateText(job)} {timeLeftText(job)}
          </span>
        )}
      </div>
      <Failures job={job} />
      {shown === 'undo' && (
        <Undo
          job={job}
          onUndone={(revertId) => {
            setShown(null);
            onUndone(revertId);
          }}
        />
      )}
      {shown === 'items' && <JobResults job={job} />}
    </article>
  );
}

/** What can be done about the items that were not updated, once the job has ended. */
function Failures({ job }: Pick<JobProps, 'job'>) {
  const { api, versionLanguage, work, actions, mayWrite, changeView } = useShared();
  const [problem, setProblem] = useState<string | null>(null);
  const { failed, unknown, notAttempted } = job.summary;
  if (!job.done || failed + unknown + notAttempted === 0) return null;
  const { rest = [] } = work.ended.get(job.id) ?? {};
  const again = rest.filter(({ item, outcome }) => !item.aim && outcome.__typename !== 'ArticleUpdateUnknown');
  const save = async () => {
    const outcomes = await readOutcomes(api, { id: job.id, outcomes: NOT_UPDATED });
    setProblem(outcomes === null ? 'The items cannot be read now.' : null);
    if (outcomes === null) return;
    const ids = outcomes.map(({ articleId }) => articleId);
    const found = versionLanguage && (await findArticles(api, versionLanguage, ids)).articles;
    download('not-updated.csv', failuresCsv(job, { outcomes, rest, found }));
  };
  const tryAgain = () => {
    for (const { item } of again)
      if (!work.edits.has(keyOf(item.article))) actions.edit([[item.article, item.change]], { reason: item.reason });
    changeView({ tab: 'changes' });
  };
  return (
    <div className="inline">
      {mayWrite && again.length > 0 && <Button onClick={tryAgain}>Try these {again.length} again…</Button>}
      <Button onClick={save}>Save what was not updated as CSV</Button>
      <Problem text={problem} />
    </div>
  );
}

const CHANGES = { Cancel: CancelArticleUpdateJobDocument, Resume: ResumeArticleUpdateJobDocument } as const;

const QUESTION = 'Cancel the job? What is updated stays so, and the rest is not sent.';

/** Cancels or resumes a job. Repeating it without a response is safe. */
function ChangeButton({ job, name, onChanged }: Pick<JobProps, 'job' | 'onChanged'> & { name: keyof typeof CHANGES }) {
  const { api } = useShared();
  const { dialog, ask } = useQuestion();
  const [problem, setProblem] = useState<string | null>(null);
  const change = async () => {
    if (name === 'Cancel' && !(await ask(QUESTION, 'Cancel the job'))) return;
    const { data, failure } = await api.send(CHANGES[name], { id: job.id });
    const staysPaused = name === 'Resume' && data?.changed?.job.state === 'PAUSED';
    setProblem(
      staysPaused ? 'It stays paused: it began with another token, or at another service.' : (failure?.message ?? null),
    );
    onChanged();
  };
  return (
    <>
      {dialog}
      <Button onClick={change}>{name}</Button>
      <Problem text={problem} />
    </>
  );
}

const COUNTS = [
  ['updated', 'updated', 'good'],
  ['failed', 'failed', 'bad'],
  ['unknown', 'unknown', 'doubt'],
  ['notAttempted', 'not sent', 'hint'],
  ['pending', 'to go', 'hint'],
] as const;

/** The numbers of items by their outcomes, and how many of a running job have ended. */
function JobProgress({ job: { summary, done } }: { job: JobFieldsFragment }) {
  const counts = COUNTS.filter(([name]) => summary[name] > 0);
  return (
    <>
      {!done && (
        <progress aria-label="Progress" max={Math.max(1, summary.total)} value={summary.total - summary.pending} />
      )}
      <ul className="inline" aria-label="Counts">
        {counts.map(([name, label, tone]) => (
          <li key={name} className={`chip ${tone}`}>{`${summary[name]} ${label}`}</li>
        ))}
      </ul>
    </>
  );
}
