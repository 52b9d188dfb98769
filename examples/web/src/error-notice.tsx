import type { ReactNode } from 'react';
import { FocusedHeading, focusAround } from './fields.tsx';
import type { ErrorFieldsFragment } from './generated/graphql.ts';

export type InputIssue = Extract<ErrorFieldsFragment, { __typename: 'ValidationError' }>['issues'][number];

interface ErrorNoticeProps {
  error: ErrorFieldsFragment;
  /** Sends the same request again; offered only when that is safe and may help. */
  onRetry: () => void;
  /** Reads again what may have been written. */
  onReload: () => void;
  /** The title of an item by its index, when items were sent. */
  titleOf?: (index: number) => string;
  /** Other things that may be done. */
  children?: ReactNode;
}

export function ErrorNotice({ error, onRetry, onReload, titleOf = String, children }: ErrorNoticeProps) {
  return (
    <div className="notice bad" role="alert">
      <FocusedHeading level={3}>{adviceOn(error)}</FocusedHeading>
      <ul>
        {detailsOf(error, titleOf).map((detail) => (
          <li key={detail}>{detail}</li>
        ))}
      </ul>
      {error.retryable && (
        <button type="button" className="primary" onClick={onRetry}>
          Try again
        </button>
      )}
      {error.mayHaveApplied && (
        <button
          type="button"
          className="primary"
          onClick={({ currentTarget }) => {
            focusAround(currentTarget);
            onReload();
          }}
        >
          Reload
        </button>
      )}
      {children}
    </div>
  );
}

/** Error types may be added to the schema. What every one of them has is read before the switch, for its default. */
function adviceOn(error: ErrorFieldsFragment): string {
  const { message, retryable } = error;
  switch (error.__typename) {
    case 'ValidationError':
      return error.source === 'GATEWAY'
        ? 'Nothing was sent yet: this has to be corrected.'
        : 'The service rejected this.';
    case 'ReaderGroupNotFoundError':
      return 'Somebody may have deleted the group meanwhile. Choose another one.';
    case 'AuthenticationError':
      return error.code === 'FORBIDDEN'
        ? 'Nothing was written. You may not do this.'
        : 'Nothing was written. Sign in again.';
    case 'RateLimitedError':
      return error.retryAfterSeconds === null
        ? 'Nothing was written. Wait a moment before you try again.'
        : `Nothing was written. Try again in ${error.retryAfterSeconds} seconds.`;
    case 'ServiceUnavailableError':
      return 'Nothing was written. The service may be back soon.';
    case 'TooCostlyError':
      return 'Nothing was sent. Send less at once.';
    case 'ServiceRejectedError':
      return error.mayHaveApplied ? 'Part of it may have been written.' : 'Nothing was written.';
    case 'JobNotFoundError':
      return 'This update is not kept any more.';
    case 'OutcomeUnknownError':
      return 'It may have been written, or not. Look before you send it again.';
    default:
      return retryable ? 'This did not work. It may work when you try again.' : message;
  }
}

function detailsOf(error: ErrorFieldsFragment, titleOf: (index: number) => string): readonly string[] {
  const found =
    error.__typename === 'ValidationError' ? error.issues.map((issue) => issueText(issue, titleOf)) : [error.message];
  return [...new Set([...found, ...error.serviceErrors.flatMap(({ description }) => description ?? [])])];
}

/** The path of an item is `input`, `articles`, its index. */
const issueText = ({ path: [, list, index], message }: InputIssue, titleOf: (index: number) => string): string =>
  list === 'articles' && index !== undefined ? `${titleOf(Number(index))}: ${message}` : message;
