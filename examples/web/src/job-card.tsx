import { type Ref, useEffect, useRef, useState } from 'react';
import type { JobFieldsFragment } from './generated/graphql.ts';
import { CancelButton, ResumeButton } from './job-buttons.tsx';
import { JobProgress } from './job-progress.tsx';
import { JobResults, type TitleOf } from './job-results.tsx';
import { stateText, timeLeftText } from './job-state.ts';

interface JobCardProps {
  job: JobFieldsFragment;
  ref: Ref<HTMLFieldSetElement> | undefined;
  titleOf: TitleOf;
  /** Reads the job again. */
  onChanged: () => void;
  onEnded: () => void;
}

const TIME = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' });

export function JobCard({ job, ref, titleOf, onChanged, onEnded }: JobCardProps) {
  const [isOpen, setIsOpen] = useState(false);
  const wasDone = useRef(job.done);
  useEffect(() => {
    if (job.done && !wasDone.current) onEnded();
    wasDone.current = job.done;
  }, [job.done, onEnded]);
  const { summary } = job;
  const timeLeft = timeLeftText(job);
  return (
    <fieldset ref={ref} tabIndex={-1}>
      <legend>
        {summary.total} {summary.total === 1 ? 'update' : 'updates'}, started {TIME.format(new Date(job.createdAt))}
      </legend>
      <p role="status">{stateText(job)}</p>
      <JobProgress summary={summary} />
      {timeLeft && <p className="hint">{timeLeft}</p>}
      <div className="inline">
        {summary.pending < summary.total && (
          <button type="button" aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
            Outcomes
          </button>
        )}
        {job.state === 'PAUSED' && <ResumeButton job={job} onChanged={onChanged} />}
        {!job.done && job.state !== 'CANCELLED' && <CancelButton job={job} onChanged={onChanged} />}
      </div>
      {isOpen && <JobResults job={job} titleOf={titleOf} />}
    </fieldset>
  );
}
