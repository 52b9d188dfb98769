import type { CombinedError } from 'urql';
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
  if (!error) return null;
  return (
    <div className="notice bad" role="alert">
      {problemsOf(error, isWrite).map((problem) => (
        <p key={problem}>{problem}</p>
      ))}
      {onRetry && (
        <button type="button" className="primary" onClick={() => onRetry()}>
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
