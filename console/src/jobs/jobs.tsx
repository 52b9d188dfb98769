import { useState } from 'react';
import {
  CancelArticleUpdateJobDocument,
  type JobFieldsFragment,
  ResumeArticleUpdateJobDocument,
} from '../generated/graphql.ts';
import { Button, Pane, Problem } from '../parts.tsx';
import { useShared } from '../shared.ts';
import type { Work } from '../work.ts';
import { jobNameOf } from './job-name.ts';
import { JobProgress } from './job-progress.tsx';
import { JobResults } from './job-results.tsx';
import { begunText, rateText, stateText, timeLeftText } from './job-state.ts';
import { Undo } from './undo.tsx';
import type { Jobs as JobsState } from './use-jobs.ts';

/** Returns the titles of the articles that this page has changed, and the IDs of others. */
function titlesIn({ edits, unknown, ended }: Work): (articleId: string) => string {
  const titles = new Map(
    [...edits.values(), ...unknown.values(), ...[...ended.values()].flat()].map(({ article }) => [
      article.articleId,
      article.title,
    ]),
  );
  return (articleId) => titles.get(articleId) ?? articleId;
}

/** The jobs of the caller, also those submitted by another page or by the command line. */
export function Jobs({ state: { jobs, problem, reload } }: { state: JobsState }) {
  const { work, actions } = useShared();
  const titleOf = titlesIn(work);
  return (
    <Pane title="Jobs">
      <Problem text={problem} onAgain={reload} />
      {jobs.length === 0 && problem === null && <p className="bar">There are no jobs.</p>}
      <ul aria-label="Jobs" className="scroll">
        {jobs.map((job) => (
          <li key={job.id}>
            <Job
              job={job}
              titleOf={titleOf}
              revert={jobs.find(({ revertOf }) => revertOf?.id === job.id)}
              onChanged={reload}
              onUndone={(revertId) => actions.submit(revertId, work.ended.get(job.id) ?? [])}
            />
          </li>
        ))}
      </ul>
    </Pane>
  );
}

interface JobProps {
  titleOf: (articleId: string) => string;
  job: JobFieldsFragment;
  /** The latest job that undoes it. */
  revert: JobFieldsFragment | undefined;
  onChanged: () => void;
  /** Called with the ID of the job that reverts this one. */
  onUndone: (revertId: string) => void;
}

function Job({ job, revert, titleOf, onUndone, onChanged }: JobProps) {
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
      {shown === 'undo' && (
        <Undo
          job={job}
          titleOf={titleOf}
          onUndone={(revertId) => {
            setShown(null);
            onUndone(revertId);
          }}
        />
      )}
      {shown === 'items' && <JobResults job={job} titleOf={titleOf} />}
    </article>
  );
}

const CHANGES = { Cancel: CancelArticleUpdateJobDocument, Resume: ResumeArticleUpdateJobDocument } as const;

const QUESTION = 'Cancel the job? What is updated stays so, and the rest is not sent.';

/** Cancels or resumes a job. Repeating it without a response is safe. */
function ChangeButton({ job, name, onChanged }: Pick<JobProps, 'job' | 'onChanged'> & { name: keyof typeof CHANGES }) {
  const { api } = useShared();
  const [problem, setProblem] = useState<string | null>(null);
  const change = async () => {
    if (name === 'Cancel' && !confirm(QUESTION)) return;
    const { data, failure } = await api.send(CHANGES[name], { id: job.id });
    const staysPaused = name === 'Resume' && data?.changed?.job.state === 'PAUSED';
    setProblem(
      staysPaused ? 'It stays paused: it began with another token, or at another service.' : (failure?.message ?? null),
    );
    onChanged();
  };
  return (
    <>
      <Button onClick={change}>{name}</Button>
      <Problem text={problem} />
    </>
  );
}
