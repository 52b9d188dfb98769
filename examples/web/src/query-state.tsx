import { useEffect, useRef } from 'react';
import type { CombinedError } from 'urql';
import { focusAround } from './fields.tsx';
import { NotSentError } from './session.ts';

interface QueryStateProps {
  fetching: boolean;
  error: CombinedError | undefined;
  onRetry?: () => void;
  kind?: RequestKind;
}

/** The outcome of a write is unknown without a response. A write with a key can be sent again with that key. */
type RequestKind = 'read' | 'write' | 'write with a key';

const NO_RESPONSE = {
  read: 'The gateway cannot be reached.',
  write: 'There was no response. It may have been written, or not: look before you send it again.',
  'write with a key': 'There was no response. You can try again safely: it is not done twice.',
} as const satisfies Record<RequestKind, string>;

/** The state of a request besides its data: in progress, or failed. */
export function QueryState({ fetching, error, onRetry, kind = 'read' }: QueryStateProps) {
  if (fetching) return <p role="status">{kind === 'read' ? 'Loading…' : 'Sending…'}</p>;
  return error ? <RequestFailure error={error} onRetry={onRetry} kind={kind} /> : null;
}

interface RequestFailureProps {
  error: CombinedError;
  onRetry: (() => void) | undefined;
  kind: RequestKind;
}

/** Takes the focus after a write, since the button that sent it has disappeared. */
function RequestFailure({ error, onRetry, kind }: RequestFailureProps) {
  const notice = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (kind !== 'read') notice.current?.focus();
  }, [kind]);
  return (
    <div className="notice bad" role="alert" ref={notice} tabIndex={-1}>
      {problemsOf(error, kind).map((problem) => (
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

function problemsOf({ networkError, graphQLErrors }: CombinedError, kind: RequestKind): readonly string[] {
  if (graphQLErrors.some(({ extensions }) => extensions['code'] === 'UNAUTHENTICATED')) return [NOT_ACCEPTED];
  if (!networkError) return [...new Set(graphQLErrors.map(({ message }) => message))];
  if (networkError instanceof NotSentError) return [networkError.message];
  return [NO_RESPONSE[kind]];
}
