import type { Option } from './choices.ts';
import { ErrorNotice } from './error-notice.tsx';
import { type FieldChange, FieldChanges } from './field-changes.tsx';
import type { BulkUpdateArticlesMutation, OutcomeFieldsFragment } from './generated/operations.ts';

export type BulkResult = NonNullable<BulkUpdateArticlesMutation['bulkUpdateArticles']>;
type Payload = Extract<BulkResult, { __typename: 'BulkUpdateArticlesPayload' }>;
type Preview = Extract<BulkResult, { __typename: 'BulkUpdateArticlesPreview' }>;

interface BulkAnswerProps {
  result: BulkResult;
  categories: readonly Option<string>[];
  /** The title of an item by its position in what was sent. */
  titleOf: (index: number) => string;
  onSend: () => void;
  onRetry: () => void;
  onReload: () => void;
}

export function BulkAnswer({ result, categories, titleOf, onSend, onRetry, onReload }: BulkAnswerProps) {
  switch (result.__typename) {
    case 'BulkUpdateArticlesPreview':
      return <BulkPreview preview={result} categories={categories} titleOf={titleOf} onSend={onSend} />;
    case 'BulkUpdateArticlesPayload':
      return <Outcomes payload={result} titleOf={titleOf} />;
    default:
      return <ErrorNotice error={result} titleOf={titleOf} onRetry={onRetry} onReload={onReload} />;
  }
}

interface BulkPreviewProps extends Pick<BulkAnswerProps, 'categories' | 'titleOf' | 'onSend'> {
  preview: Preview;
}

function BulkPreview({ preview: { summary, results }, categories, titleOf, onSend }: BulkPreviewProps) {
  return (
    <section className="notice" aria-labelledby="preview">
      <h3 id="preview">
        {summary.changed} of {summary.total} would change
        {summary.failing > 0 && `, ${summary.failing} would fail`}
      </h3>
      <ul className="rows">
        {results.map(({ index, wouldSucceed, details, changes }) => (
          <li key={index}>
            <strong>{titleOf(index)}</strong>{' '}
            {wouldSucceed && changes.length === 0 && <span className="hint">Nothing would change.</span>}
            {!wouldSucceed && <span className="issue">{details}</span>}
            <FieldChanges changes={changes.map((change) => named(change, categories))} />
          </li>
        ))}
      </ul>
      <button type="button" className="primary" disabled={summary.changed === 0} onClick={onSend}>
        Send {summary.total} {summary.total === 1 ? 'update' : 'updates'}
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
      <h3 id="outcomes">
        {summary.updated} of {summary.total} updated
      </h3>
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

/** A move as people read it. */
function named(change: FieldChange, categories: readonly Option<string>[]): FieldChange {
  if (change.field !== 'categoryId') return change;
  const nameOf = (id: unknown) => categories.find(({ value }) => value === id)?.label ?? id;
  return { field: 'category', from: nameOf(change.from), to: nameOf(change.to) };
}

/** Has no default: a new kind of outcome does not compile until somebody has thought of what to say. */
function OutcomeText({ outcome }: { outcome: OutcomeFieldsFragment }) {
  switch (outcome.__typename) {
    case 'ArticleUpdated':
      return <span className="good">Updated</span>;
    case 'ArticleUpdateFailed':
      return <span className="issue">Failed: {outcome.details ?? 'the service does not say why.'}</span>;
    case 'ArticleUpdateUnknown':
      return <span className="issue">Unknown: look at the article before you send this again.</span>;
    case 'ArticleUpdateNotAttempted':
      return <span className="hint">Not sent: {outcome.details ?? 'it can be sent again safely.'}</span>;
  }
}
