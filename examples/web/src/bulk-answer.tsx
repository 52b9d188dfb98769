import { OutcomeText } from './article-outcome.tsx';
import { ErrorNotice } from './error-notice.tsx';
import { FieldChanges, withFieldName } from './field-changes.tsx';
import { FocusedHeading } from './fields.tsx';
import type {
  BulkUpdateArticlesMutation,
  PreviewBulkUpdateArticlesMutation,
  PreviewFieldsFragment,
  SubmitArticleUpdateJobMutation,
} from './generated/graphql.ts';

type JobResult = NonNullable<SubmitArticleUpdateJobMutation['submitArticleUpdateJob']>;

/** The result of a bulk update, of its preview, or of a job that was not started. */
export type BulkResult =
  | NonNullable<BulkUpdateArticlesMutation['bulkUpdateArticles']>
  | NonNullable<PreviewBulkUpdateArticlesMutation['previewBulkUpdateArticles']>
  | Exclude<JobResult, { __typename: 'SubmitArticleUpdateJobPayload' }>;
type Payload = Extract<BulkResult, { __typename: 'BulkUpdateArticlesPayload' }>;
type Change = PreviewFieldsFragment['changes'][number];
type Preview = Extract<BulkResult, { __typename: 'BulkUpdateArticlesPreview' }>;

/** The number of updates from which a job is offered. */
const MANY = 10;

interface BulkAnswerProps {
  result: BulkResult;
  /** The title of an item by its index in the submitted list. */
  titleOf: (index: number) => string;
  /** Sends the items with these indexes: those that would change. */
  onSend: (indexes: readonly number[]) => void;
  /** Starts a job with the items that have these indexes, or with all. */
  onStart: (indexes?: readonly number[]) => void;
  onRetry: () => void;
  onReload: () => void;
}

export function BulkAnswer({ result, titleOf, onSend, onStart, onRetry, onReload }: BulkAnswerProps) {
  switch (result.__typename) {
    case 'BulkUpdateArticlesPreview':
      return <BulkPreview preview={result} {...{ titleOf, onSend, onStart }} />;
    case 'BulkUpdateArticlesPayload':
      return <Outcomes payload={result} titleOf={titleOf} />;
    default:
      return (
        <ErrorNotice error={result} titleOf={titleOf} onRetry={onRetry} onReload={onReload}>
          {result.__typename === 'TooCostlyError' && <StartButton onStart={() => onStart()} />}
        </ErrorNotice>
      );
  }
}

/** A job needs no preview, which may cost more than a request may. */
function StartButton({ onStart }: { onStart: () => void }) {
  return (
    <button type="button" onClick={onStart}>
      Update in the background
    </button>
  );
}

interface BulkPreviewProps extends Pick<BulkAnswerProps, 'titleOf' | 'onSend' | 'onStart'> {
  preview: Preview;
}

function BulkPreview({ preview: { summary, results }, titleOf, onSend, onStart }: BulkPreviewProps) {
  const changing = results.flatMap(({ index, wouldSucceed, changes }) =>
    wouldSucceed && changes.length > 0 ? [index] : [],
  );
  return (
    <section className="notice" aria-labelledby="preview">
      <FocusedHeading level={3} id="preview">
        {summary.changed} of {summary.total} would change
        {summary.failing > 0 && `, ${summary.failing} would fail`}
      </FocusedHeading>
      <ul className="rows">
        {results.map(({ index, wouldSucceed, issues, changes, ...item }) => (
          <li key={index}>
            <strong>{titleOf(index)}</strong>{' '}
            {wouldSucceed && changes.length === 0 && <span className="hint">Nothing would change.</span>}
            {issues.map(({ path, message }) => (
              <span key={path.join('.')} className="issue">
                {message}
              </span>
            ))}
            <FieldChanges changes={changes.map((change) => withFieldName(moveByName(change, item)))} />
          </li>
        ))}
      </ul>
      <div className="inline actions">
        <button type="button" className="primary" disabled={changing.length === 0} onClick={() => onSend(changing)}>
          Send {changing.length} {changing.length === 1 ? 'update' : 'updates'}
        </button>
        {changing.length >= MANY && <StartButton onStart={() => onStart(changing)} />}
      </div>
    </section>
  );
}

function Outcomes({
  payload: { summary, results, warnings },
  titleOf,
}: { payload: Payload } & Pick<BulkAnswerProps, 'titleOf'>) {
  return (
    <section className="notice" aria-labelledby="outcomes">
      <FocusedHeading level={3} id="outcomes">
        {summary.updated} of {summary.total} updated
      </FocusedHeading>
      <ul className="rows">
        {results.map((outcome) => (
          <li key={outcome.index}>
            <strong>{titleOf(outcome.index)}</strong> <OutcomeText outcome={outcome} />
          </li>
        ))}
      </ul>
      {warnings.map(({ description }) => (
        <p key={description}>{description}</p>
      ))}
    </section>
  );
}

/** Shows the names of the categories instead of their IDs. */
function moveByName(change: Change, { article, movesTo }: Pick<PreviewFieldsFragment, 'article' | 'movesTo'>): Change {
  if (change.field !== 'CATEGORY_ID') return change;
  return { ...change, from: article?.category?.name ?? null, to: movesTo?.name ?? null };
}
