import { useMutation } from 'urql';
import { ErrorNotice } from './error-notice.tsx';
import { focusAround } from './fields.tsx';
import {
  CancelArticleUpdateJobDocument,
  type JobFieldsFragment,
  ResumeArticleUpdateJobDocument,
} from './generated/graphql.ts';
import { QueryState } from './query-state.tsx';

interface JobButtonProps {
  job: JobFieldsFragment;
  /** Reads the job again. */
  onChanged: () => void;
}

const QUESTION = 'Cancel the update? What is updated stays so, and the rest is not sent.';

export function CancelButton({ job, onChanged }: JobButtonProps) {
  const { change, answer } = useJobChange(CancelArticleUpdateJobDocument, { job, onChanged });
  return (
    <>
      <button type="button" onClick={({ currentTarget }) => confirm(QUESTION) && change(currentTarget)}>
        Cancel
      </button>
      {answer}
    </>
  );
}

export function ResumeButton({ job, onChanged }: JobButtonProps) {
  const { change, answer, state } = useJobChange(ResumeArticleUpdateJobDocument, { job, onChanged });
  return (
    <>
      <button type="button" className="primary" onClick={({ currentTarget }) => change(currentTarget)}>
        Resume
      </button>
      {answer}
      <span role="status">
        {state === 'PAUSED' && 'It stays paused: it began with another token, or at another service.'}
      </span>
    </>
  );
}

/** A change that has no response can be made again: it has no other effect the second time. */
function useJobChange(document: typeof CancelArticleUpdateJobDocument, { job: { id }, onChanged }: JobButtonProps) {
  const [{ data, fetching, error }, mutate] = useMutation(document);
  const change = async (pressed?: Element) => {
    if (fetching) return;
    // The button disappears when the job has changed.
    if (pressed) focusAround(pressed);
    await mutate({ id });
    onChanged();
  };
  const changed = data?.changed;
  const answer = (
    <>
      <QueryState fetching={fetching} error={error} kind="write with a key" onRetry={() => change()} />
      {changed && 'message' in changed && <ErrorNotice error={changed} onRetry={() => change()} onReload={onChanged} />}
    </>
  );
  return { change, answer, state: changed && 'job' in changed ? changed.job.state : undefined };
}
