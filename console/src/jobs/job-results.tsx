import { useState } from 'react';
import { outcomeText } from '../articles/outcome-text.ts';
import { ArticleUpdateJobResultsDocument, type ItemOutcome, type JobFieldsFragment } from '../generated/graphql.ts';
import { Button, Choice, Problem } from '../parts.tsx';
import { useAnswer } from '../use-answer.ts';

const PAGE_SIZE = 100;

/** The outcomes to choose from, by the values of the choice. */
const OUTCOMES = {
  all: null,
  failed: ['FAILED'],
  unknown: ['UNKNOWN'],
  notSent: ['NOT_ATTEMPTED'],
  updated: ['UPDATED'],
} satisfies Record<string, ItemOutcome[] | null>;

const CHOICES = [
  ['all', 'All'],
  ['failed', 'Failed'],
  ['unknown', 'Unknown'],
  ['notSent', 'Not sent'],
  ['updated', 'Updated'],
] as const;

interface JobResultsProps {
  job: JobFieldsFragment;
  titleOf: (articleId: string) => string;
}

/** The outcomes of a job's items, in pages. They are read again when the counts have changed. */
export function JobResults({ job: { id, done, summary }, titleOf }: JobResultsProps) {
  const [choice, setChoice] = useState<keyof typeof OUTCOMES>('all');
  const [after, setAfter] = useState<string | null>(null);
  const variables = { id, outcomes: OUTCOMES[choice], first: PAGE_SIZE, after };
  const { data, problem } = useAnswer(ArticleUpdateJobResultsDocument, { variables, version: summary.pending });
  const { nodes = [], pageInfo = null } = data?.articleUpdateJob?.results ?? {};
  return (
    <>
      <div className="inline">
        <Choice
          label="Show"
          value={choice}
          options={CHOICES}
          onChange={(next) => {
            setAfter(null);
            setChoice(next);
          }}
        />
        {after !== null && <Button onClick={() => setAfter(null)}>First page</Button>}
        {pageInfo?.hasNextPage && <Button onClick={() => setAfter(pageInfo.endCursor)}>Next page</Button>}
      </div>
      <Problem text={problem} />
      {data && nodes.length === 0 && <p className="hint">{done ? 'There is none.' : 'There is none so far.'}</p>}
      <ul aria-label="Outcomes">
        {nodes.map((outcome) => (
          <li key={outcome.index}>
            <strong>{titleOf(outcome.articleId)}</strong>{' '}
            <span className={outcomeText(outcome).tone}>{outcomeText(outcome).text}</span>
          </li>
        ))}
      </ul>
    </>
  );
}
