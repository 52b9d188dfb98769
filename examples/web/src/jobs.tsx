import { useEffect, useRef, useState } from 'react';
import { useQuery } from 'urql';
import { type ArticleDraft, titleOf } from './article-drafts.ts';
import { ArticleUpdateJobsDocument, type JobFieldsFragment } from './generated/graphql.ts';
import { JobCard } from './job-card.tsx';
import { Pager, usePages } from './pager.tsx';
import { useLastData, usePolling, useReadingAgain } from './polling.ts';
import { QueryState } from './query-state.tsx';

const PAGE_SIZE = 5;

/** The articles of the jobs that were started since the page was opened, the latest job first. */
export type StartedJobs = readonly { readonly id: string; readonly drafts: readonly ArticleDraft[] }[];

/** Remembers which articles a job is about, since the gateway keeps only their IDs. */
export function useStartedJobs() {
  const [started, setStarted] = useState<StartedJobs>([]);
  return {
    started,
    addStarted: (id: string, drafts: readonly ArticleDraft[]) => setStarted((others) => [{ id, drafts }, ...others]),
  };
}

/**
 * Focuses the card of a job that was just started when it is shown first, since what was pressed has disappeared. The job
 * may have ended by then.
 */
function useFirstSight(job: JobFieldsFragment | undefined, onEnded: () => void) {
  const card = useRef<HTMLFieldSetElement>(null);
  const seen = useRef('');
  useEffect(() => {
    if (!job || seen.current === job.id) return;
    seen.current = job.id;
    card.current?.focus();
    if (job.done) onEnded();
  }, [job, onEnded]);
  return card;
}

interface JobsProps {
  started: StartedJobs;
  /** True when the page shows a failure already, which has the same cause as that of the jobs. */
  isFailureShown: boolean;
  /** Called when a job has ended. */
  onEnded: () => void;
}

/** The jobs of the person who is signed in, also those from before the page was opened. */
export function Jobs({ started, isFailureShown, onEnded }: JobsProps) {
  const latest = started[0]?.id ?? '';
  const pages = usePages(latest);
  const variables = { first: PAGE_SIZE, after: pages.after };
  const [{ data, fetching, error }, read] = useQuery({ query: ArticleUpdateJobsDocument, variables });
  const jobs = useLastData(data?.articleUpdateJobs);
  const isOn = jobs?.nodes.some(({ done }) => !done) ?? false;
  usePolling({ isOn, fetching, hasFailed: error !== undefined, read });
  useReadingAgain(latest, read);
  const latestJob = jobs?.nodes.find(({ id }) => id === latest);
  const latestCard = useFirstSight(latestJob, onEnded);
  const shownError = isFailureShown ? undefined : error;
  if (!jobs?.nodes.length && pages.page === 1 && !shownError) return null;
  return (
    <section aria-labelledby="jobs">
      <h3 id="jobs">Updates in the background</h3>
      {jobs?.nodes.map((job) => (
        <JobCard
          key={job.id}
          job={job}
          ref={job.id === latest ? latestCard : undefined}
          titleOf={({ index, articleId }) => {
            const draft = started.find(({ id }) => id === job.id)?.drafts[index];
            return draft ? titleOf(draft.article) : articleId;
          }}
          onChanged={read}
          onEnded={onEnded}
        />
      ))}
      {jobs && (pages.page > 1 || jobs.pageInfo.hasNextPage) && (
        <Pager pages={pages} pageInfo={jobs.pageInfo} total={jobs.totalCount} />
      )}
      <QueryState fetching={false} error={shownError} onRetry={read} />
    </section>
  );
}
