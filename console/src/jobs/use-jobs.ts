import { useCallback, useEffect, useRef, useState } from 'react';
import { type Api, readPages } from '../api.ts';
import {
  ArticleUpdateJobResultsDocument,
  ArticleUpdateJobsDocument,
  type ItemOutcome,
  type JobFieldsFragment,
  type OutcomeFieldsFragment,
} from '../generated/graphql.ts';
import type { SentEdits } from '../work.ts';

const MOST_JOBS = 50;

const OUTCOMES_PAGE = 1_000;

/** Milliseconds between two polls, which the gateway answers without a call to the service. */
const PAUSE_MS = 2_000;
const PAUSE_AFTER_FAILURE_MS = 10_000;

export interface Jobs {
  readonly jobs: readonly JobFieldsFragment[];
  readonly problem: string | null;
  reload(): void;
}

export interface JobsOptions {
  readonly isSignedIn: boolean;
  /** Jobs that this page has submitted, whose outcomes are read when they end. */
  readonly sent: ReadonlyMap<string, SentEdits>;
  readonly onEnd: (jobId: string, outcomes: readonly OutcomeFieldsFragment[], endedAt: string | null) => void;
}

/** The jobs of the caller, the newest first. They are polled until all have ended. */
export function useJobs(api: Api, { isSignedIn, sent, onEnd }: JobsOptions): Jobs {
  const [jobs, setJobs] = useState<readonly JobFieldsFragment[]>([]);
  const [problem, setProblem] = useState<string | null>(null);
  const [polls, setPolls] = useState(0);
  const read = useCallback(async () => {
    const { data, failure } = await api.send(ArticleUpdateJobsDocument, { first: MOST_JOBS });
    setProblem(failure?.message ?? null);
    if (data?.articleUpdateJobs) setJobs(data.articleUpdateJobs.nodes);
    setPolls((count) => count + 1);
  }, [api]);
  // A job that was just submitted is not in the list yet.
  const isWaiting = jobs.some(({ done }) => !done) || sent.size > 0;
  const hasFailed = problem !== null;
  useEffect(() => {
    if (!isSignedIn || (polls > 0 && !isWaiting)) return;
    const timer = setTimeout(read, polls === 0 ? 0 : hasFailed ? PAUSE_AFTER_FAILURE_MS : PAUSE_MS);
    return () => clearTimeout(timer);
  }, [isSignedIn, isWaiting, hasFailed, polls, read]);
  useEndedJobs(api, { jobs, sent, onEnd });
  return { jobs, problem, reload: () => void read() };
}

/** Reads the outcomes of each job of this page once it has ended. */
function useEndedJobs(api: Api, { jobs, sent, onEnd }: Pick<JobsOptions, 'sent' | 'onEnd'> & Pick<Jobs, 'jobs'>): void {
  const reading = useRef(new Set<string>());
  useEffect(() => {
    for (const { id, done, endedAt } of jobs) {
      if (!done || !sent.has(id) || reading.current.has(id)) continue;
      reading.current.add(id);
      void readOutcomes(api, id).then((outcomes) => {
        reading.current.delete(id);
        if (outcomes !== null) onEnd(id, outcomes, endedAt);
      });
    }
  }, [api, jobs, sent, onEnd]);
}

/** Reads all pages of some or all outcomes; null where they can't be read now. */
export async function readOutcomes(api: Api, id: string, outcomes: ItemOutcome[] | null = null) {
  const { nodes, problem } = await readPages<OutcomeFieldsFragment>(Number.POSITIVE_INFINITY, async (after) => {
    const variables = { id, outcomes, first: OUTCOMES_PAGE, after };
    const { data } = await api.send(ArticleUpdateJobResultsDocument, variables);
    return data?.articleUpdateJob?.results ?? 'The items cannot be read now.';
  });
  return problem === null ? nodes : null;
}
