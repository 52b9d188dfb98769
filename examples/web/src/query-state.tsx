import type { CombinedError } from 'urql';

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
  if (error.graphQLErrors.some(({ extensions }) => extensions['code'] === 'UNAUTHENTICATED')) {
    return (
      <p className="notice" role="alert">
        Enter an API token that the gateway accepts. npm start prints it.
      </p>
    );
  }
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

function problemsOf({ networkError, graphQLErrors }: CombinedError, isWrite: boolean): readonly string[] {
  if (!networkError) return [...new Set(graphQLErrors.map(({ message }) => message))];
  return isWrite
    ? ['There was no response. It may have been written, or not: look before you send it again.']
    : ['The gateway cannot be reached. npm start starts it.'];
}
