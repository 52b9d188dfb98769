import { useState } from 'react';
import { useQuery } from 'urql';
import { OutcomeText } from './article-outcome.tsx';
import {
  ArticleUpdateJobResultsDocument,
  type ItemOutcome,
  type JobFieldsFragment,
  type OutcomeFieldsFragment,
} from './generated/graphql.ts';
import { Pager, usePages } from './pager.tsx';
import { useLastData, useReadingAgain } from './polling.ts';
import { QueryState } from './query-state.tsx';

const PAGE_SIZE = 20;

/** Null selects every outcome. */
const CHOICES: readonly { label: string; outcomes: ItemOutcome[] | null }[] = [
  { label: 'what is not updated', outcomes: ['FAILED', 'UNKNOWN', 'NOT_ATTEMPTED'] },
  { label: 'what is unknown', outcomes: ['UNKNOWN'] },
  { label: 'what failed', outcomes: ['FAILED'] },
  { label: 'what was not sent', outcomes: ['NOT_ATTEMPTED'] },
  { label: 'what is updated', outcomes: ['UPDATED'] },
  { label: 'all', outcomes: null },
];

export type TitleOf = (outcome: Pick<OutcomeFieldsFragment, 'index' | 'articleId'>) => string;

interface JobResultsProps {
  job: JobFieldsFragment;
  titleOf: TitleOf;
}

/** The items of a job that have ended, a page at a time. They are read again when more have ended. */
export function JobResults({ job: { id, done, summary }, titleOf }: JobResultsProps) {
  const [choice, setChoice] = useState(0);
  const pages = usePages(`${choice}`);
  const outcomes = CHOICES[choice]?.outcomes ?? null;
  const variables = { id, outcomes, first: PAGE_SIZE, after: pages.after };
  const [{ data, fetching, error }, read] = useQuery({ query: ArticleUpdateJobResultsDocument, variables });
  useReadingAgain(JSON.stringify([done, summary]), read);
  const results = useLastData(data?.articleUpdateJob?.results);
  return (
    <>
      <label className="inline">
        Show
        <select value={choice} onChange={({ target }) => setChoice(Number(target.value))}>
          {CHOICES.map(({ label }, index) => (
            <option key={label} value={index}>
              {label}
            </option>
          ))}
        </select>
      </label>
      {results && (
        <>
          {results.nodes.length === 0 && <p className="hint">{done ? 'There is none.' : 'There is none so far.'}</p>}
          <ul className="rows" aria-label="Outcomes">
            {results.nodes.map((outcome) => (
              <li key={outcome.index}>
                <strong>{titleOf(outcome)}</strong> <OutcomeText outcome={outcome} />
              </li>
            ))}
          </ul>
          {(pages.page > 1 || results.pageInfo.hasNextPage) && (
            <Pager pages={pages} pageInfo={results.pageInfo} total={results.totalCount} />
          )}
        </>
      )}
      <QueryState fetching={fetching && !results} error={error} onRetry={read} />
    </>
  );
}
