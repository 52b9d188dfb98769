import { ErrorNotice } from './error-notice.tsx';
import { FieldChanges, withFieldName } from './field-changes.tsx';
import { FocusedHeading } from './fields.tsx';
import type {
  BulkUpdateArticlesMutation,
  OutcomeFieldsFragment,
  PreviewBulkUpdateArticlesMutation,
  PreviewFieldsFragment,
} from './generated/graphql.ts';

/** The result of a bulk update, or of its preview. */
export type BulkResult = NonNullable<
  BulkUpdateArticlesMutation['bulkUpdateArticles'] | PreviewBulkUpdateArticlesMutation['previewBulkUpdateArticles']
>;
type Payload = Extract<BulkResult, { __typename: 'BulkUpdateArticlesPayload' }>;
type Change = PreviewFieldsFragment['changes'][number];
type Preview = Extract<BulkResult, { __typename: 'BulkUpdateArticlesPreview' }>;

interface BulkAnswerProps {
  result: BulkResult;
  /** The title of an item by its index in the submitted list. */
  titleOf: (index: number) => string;
  /** Sends the items with these indexes: those that would change. */
  onSend: (indexes: readonly number[]) => void;
  onRetry: () => void;
  onReload: () => void;
}

export function BulkAnswer({ result, titleOf, onSend, onRetry, onReload }: BulkAnswerProps) {
  switch (result.__typename) {
    case 'BulkUpdateArticlesPreview':
      return <BulkPreview preview={result} titleOf={titleOf} onSend={onSend} />;
    case 'BulkUpdateArticlesPayload':
      return <Outcomes payload={result} titleOf={titleOf} />;
    default:
      return <ErrorNotice error={result} titleOf={titleOf} onRetry={onRetry} onReload={onReload} />;
  }
}

interface BulkPreviewProps extends Pick<BulkAnswerProps, 'titleOf' | 'onSend'> {
  preview: Preview;
}

function BulkPreview({ preview: { summary, results }, titleOf, onSend }: BulkPreviewProps) {
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
      <button type="button" className="primary" disabled={changing.length === 0} onClick={() => onSend(changing)}>
        Send {changing.length} {changing.length === 1 ? 'update' : 'updates'}
      </button>
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

/** Outcomes may be added to the schema. What every one of them has is read before the switch, for its default. */
function OutcomeText({ outcome }: { outcome: OutcomeFieldsFragment }) {
  const { details, retryable } = outcome;
  switch (outcome.__typename) {
    case 'ArticleUpdated':
      return <span className="good">Updated</span>;
    case 'ArticleUpdateFailed':
      return <span className="issue">Failed: {details ?? 'the service does not say why.'}</span>;
    case 'ArticleUpdateUnknown':
      return <span className="issue">Unknown: look at the article before you send this again.</span>;
    case 'ArticleUpdateNotAttempted':
      return (
        <span className="hint">
          Not sent: {details ?? (retryable ? 'it can be sent again safely.' : 'the service refuses this.')}
        </span>
      );
    default:
      return (
        <span className="hint">{details ?? (retryable ? 'It can be sent again safely.' : 'Look at the article.')}</span>
      );
  }
}
