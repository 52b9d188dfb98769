import { useState } from 'react';
import { timeText } from '../articles/columns.ts';
import {
  CancelArticleUpdateJobDocument,
  type JobFieldsFragment,
  ResumeArticleUpdateJobDocument,
} from '../generated/graphql.ts';
import { Button, Pane, Problem, useQuestion } from '../parts.tsx';
import { useShared } from '../shared.ts';
import { Failures } from './failures.tsx';
import { jobNameOf } from './job-name.ts';
import { JobResults } from './job-results.tsx';
import { endText, stateText } from './job-state.ts';
import { Undo } from './undo.tsx';

/** The jobs of the caller, also those submitted by another page or by the command line. */
export function Jobs() {
  const { jobs, problem, reload } = useShared().jobs;
  return (
    <Pane title="Jobs">
      <Problem text={problem} onAgain={reload} />
      {jobs.length === 0 && problem === null && (
        <p className="bar">There are no jobs. Changes that are sent become one.</p>
      )}
      <ul aria-label="Jobs" className="scroll cards">
        {jobs.map((job) => (
          <li key={job.id}>
            <Job job={job} />
          </li>
        ))}
      </ul>
    </Pane>
  );
}

function Job({ job }: { job: JobFieldsFragment }) {
  const { mayWrite, callerName, jobs } = useShared();
  const [shown, setShown] = useState<'items' | 'undo' | null>(null);
  const { done, state } = job;
  const lastRevert = jobs.jobs.find(({ revertOf }) => revertOf?.id === job.id);
  const toggle = (name: 'items' | 'undo') => setShown(shown === name ? null : name);
  return (
    <article aria-label={`${jobNameOf(job)}, ${timeText(job.createdAt)}`} className="stack">
      <div className="inline apart">
        <h3>{jobNameOf(job)}</h3>
        {mayWrite && !done && <ChangeButton job={job} name="Cancel" />}
        {mayWrite && state === 'PAUSED' && <ChangeButton job={job} name="Resume" />}
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
        {timeText(job.createdAt)}, by {callerName ?? 'you'}
        {job.revertOf && `. Undoes the job of ${timeText(job.revertOf.createdAt)}`}
        {lastRevert && `. Undone by the job of ${timeText(lastRevert.createdAt)}`}
      </p>
      <div className="inline">
        <span role="status">{stateText(job)}</span>
        <JobProgress job={job} />
        {!done && <span className="hint">{endText(job)}</span>}
      </div>
      <Failures job={job} />
      {shown === 'undo' && <Undo job={job} onUndone={() => setShown(null)} />}
      {shown === 'items' && <JobResults job={job} />}
    </article>
  );
}

const CHANGES = { Cancel: CancelArticleUpdateJobDocument, Resume: ResumeArticleUpdateJobDocument } as const;

const QUESTION = 'Cancel the job? What is updated stays so, and the rest is not sent.';

/** Cancels or resumes a job. Repeating it without a response is safe. */
function ChangeButton({ job, name }: { job: JobFieldsFragment; name: keyof typeof CHANGES }) {
  const { api, jobs } = useShared();
  const { dialog, ask } = useQuestion();
  const [problem, setProblem] = useState<string | null>(null);
  const change = async () => {
    if (name === 'Cancel' && !(await ask(QUESTION, 'Cancel the job'))) return;
    const { data, failure } = await api.send(CHANGES[name], { id: job.id });
    const staysPaused = name === 'Resume' && data?.changed?.job.state === 'PAUSED';
    setProblem(
      staysPaused ? 'It stays paused: it began with another token, or at another service.' : (failure?.message ?? null),
    );
    jobs.reload();
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
