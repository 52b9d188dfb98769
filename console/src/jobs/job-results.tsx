import { useEffect, useState } from 'react';
import type { Api } from '../api.ts';
import { outcomeText } from '../articles/outcome-text.ts';
import {
  ArticleUpdateJobResultsDocument,
  type ArticleUpdateJobResultsQuery,
  type ItemOutcome,
  type JobFieldsFragment,
} from '../generated/graphql.ts';

const PAGE_SIZE = 100;

const CHOICES: readonly { readonly label: string; readonly outcomes: ItemOutcome[] | null }[] = [
  { label: 'All', outcomes: null },
  { label: 'Failed', outcomes: ['FAILED'] },
  { label: 'Unknown', outcomes: ['UNKNOWN'] },
  { label: 'Not sent', outcomes: ['NOT_ATTEMPTED'] },
  { label: 'Updated', outcomes: ['UPDATED'] },
];

type Results = NonNullable<NonNullable<ArticleUpdateJobResultsQuery['articleUpdateJob']>['results']>;

interface JobResultsProps {
  api: Api;
  job: JobFieldsFragment;
  titleOf: (articleId: string) => string;
}

/** The outcomes of a job's items, in pages. */
export function JobResults({ api, job, titleOf }: JobResultsProps) {
  const [choice, setChoice] = useState(0);
  const [after, setAfter] = useState<string | null>(null);
  const [results, setResults] = useState<Results | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const { id, done } = job;
  const { pending } = job.summary;
  useEffect(() => {
    // The counts tell when there is more to read.
    if (pending < 0) return;
    let isWanted = true;
    const outcomes = CHOICES[choice]?.outcomes ?? null;
    void api
      .send(ArticleUpdateJobResultsDocument, { id, outcomes, first: PAGE_SIZE, after })
      .then(({ data, failure }) => {
        if (!isWanted) return;
        setProblem(failure?.message ?? null);
        if (data?.articleUpdateJob?.results) setResults(data.articleUpdateJob.results);
      });
    return () => {
      isWanted = false;
    };
  }, [api, id, choice, after, pending]);
  const { nodes = [], pageInfo = null } = results ?? {};
  return (
    <>
      <p className="inline">
        <label>
          Show{' '}
          <select
            value={choice}
            onChange={({ target }) => {
              setAfter(null);
              setChoice(Number(target.value));
            }}
          >
            {CHOICES.map(({ label }, index) => (
              <option key={label} value={index}>
                {label}
              </option>
            ))}
          </select>
        </label>
        {after !== null && (
          <button type="button" onClick={() => setAfter(null)}>
            First page
          </button>
        )}
        {pageInfo?.hasNextPage && (
          <button type="button" onClick={() => setAfter(pageInfo.endCursor)}>
            Next page
          </button>
        )}
      </p>
      {problem !== null && (
        <p className="bad" role="alert">
          {problem}
        </p>
      )}
      {results && nodes.length === 0 && <p className="hint">{done ? 'There is none.' : 'There is none so far.'}</p>}
      <ul className="plain-list" aria-label="Outcomes">
        {nodes.map((outcome) => (
          <Outcome key={outcome.index} outcome={outcome} title={titleOf(outcome.articleId)} />
        ))}
      </ul>
    </>
  );
}

function Outcome({ outcome, title }: { outcome: Results['nodes'][number]; title: string }) {
  const { text, tone } = outcomeText(outcome);
  return (
    <li>
      <strong>{title}</strong> <span className={tone}>{text}</span>
    </li>
  );
}
