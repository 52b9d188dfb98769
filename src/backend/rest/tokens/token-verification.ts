import type { Caller } from '../../../domain/callers/caller.ts';
import { type BackendError, unauthenticated, unavailable } from '../../../domain/errors.ts';
import { err, ok, type Result } from '../../../domain/result.ts';
import type { Backend } from '../../backend.ts';
import { readPayload } from '../reads/read-response.ts';
import type { Upstream } from '../upstream.ts';

/** Tells which callers bring a token that the service accepts, by what it has answered or by asking it. */
export interface Verification extends Pick<Backend, 'isAccepted' | 'verifyToken'> {
  /** Why the service does not accept the caller's token now; null where it does, and where it does not tell. */
  refusalOf(caller: Caller): Promise<BackendError | null>;
}

/** What the service says of a token: that it accepts it, why not, or nothing. */
type Standing = { readonly kind: 'accepted' | 'unclear' } | { readonly kind: 'refused'; readonly error: BackendError };

export function createVerification(upstream: Upstream): Verification {
  /** By token, as long as the service is being asked. The newcomers bound how many there are. */
  const underWay = new Map<string, Promise<Standing>>();
  const isAccepted = (caller: Caller) => upstream.known(caller)?.isAccepted ?? false;

  const ask = async (caller: Caller): Promise<Standing> => {
    const answer = readPayload(await upstream.send(caller, { method: 'GET', path: ['ProjectVersions'] }));
    if (isAccepted(caller)) return { kind: 'accepted' };
    return answer.ok || !TELLS.has(answer.error.kind) ? { kind: 'unclear' } : { kind: 'refused', error: answer.error };
  };

  const standingOf = async (caller: Caller): Promise<Standing> => {
    const token = upstream.tokenOf(caller);
    if (token === null) return { kind: 'refused', error: unauthenticated() };
    if (isAccepted(caller)) return { kind: 'accepted' };
    const standing = underWay.get(token) ?? ask(caller).finally(() => underWay.delete(token));
    underWay.set(token, standing);
    return standing;
  };

  return {
    isAccepted,
    async verifyToken(caller): Promise<Result<void, BackendError>> {
      const standing = await standingOf(caller);
      if (standing.kind === 'accepted') return ok(undefined);
      return err(standing.kind === 'refused' ? standing.error : unavailable(UNCLEAR));
    },
    async refusalOf(caller) {
      const standing = await standingOf(caller);
      // A token may be for writing alone.
      return standing.kind === 'refused' && standing.error.kind !== 'forbidden' ? standing.error : null;
    },
  };
}

/** Whatever else a read may end with says nothing of the token. */
const TELLS: ReadonlySet<BackendError['kind']> = new Set([
  'unauthenticated',
  'forbidden',
  'rate-limited',
  'unavailable',
]);

const UNCLEAR = 'The service did not tell whether it accepts the API token. Nothing else was sent.';
