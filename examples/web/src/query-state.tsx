import { useEffect, useRef } from 'react';
import type { CombinedError } from 'urql';
import { focusAround } from './fields.tsx';
import { NotSentError } from './session.ts';

interface QueryStateProps {
  fetching: boolean;
  error: CombinedError | undefined;
  onRetry?: () => void;
  /** True for a write, whose outcome is unknown without a response. */
  isWrite?: boolean;
}

/** The state of a request besides its data: in progress, or failed. */
export function QueryState({ fetching, error, onRetry, isWrite = false }: QueryStateProps) {
  if (fetching) return <p role="status">{isWrite ? 'Sending…' : 'Loading…'}</p>;
  return error ? <RequestFailure error={error} onRetry={onRetry} isWrite={isWrite} /> : null;
}

interface RequestFailureProps {
  error: CombinedError;
  onRetry: (() => void) | undefined;
  isWrite: boolean;
}

/** Takes the focus after a write, since the button that sent it has disappeared. */
function RequestFailure({ error, onRetry, isWrite }: RequestFailureProps) {
  const notice = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isWrite) notice.current?.focus();
  }, [isWrite]);
  return (
    <div className="notice bad" role="alert" ref={notice} tabIndex={-1}>
      {problemsOf(error, isWrite).map((problem) => (
        <p key={problem}>{problem}</p>
      ))}
      {onRetry && (
        <button
          type="button"
          className="primary"
          onClick={({ currentTarget }) => {
            focusAround(currentTarget);
            onRetry();
          }}
        >
          Try again
        </button>
      )}
    </div>
  );
}

/** The page sends a JWT with every request, so that one that is not accepted is the fault of the settings. */
const NOT_ACCEPTED =
  'The gateway does not accept your sign-in. Sign in again; if that does not help, the gateway lacks the settings that npm run example prints.';

function problemsOf({ networkError, graphQLErrors }: CombinedError, isWrite: boolean): readonly string[] {
  if (graphQLErrors.some(({ extensions }) => extensions['code'] === 'UNAUTHENTICATED')) return [NOT_ACCEPTED];
  if (!networkError) return [...new Set(graphQLErrors.map(({ message }) => message))];
  if (networkError instanceof NotSentError) return [networkError.message];
  return isWrite
    ? ['There was no response. It may have been written, or not: look before you send it again.']
    : ['The gateway cannot be reached.'];
}
