import type { Backend, BackendResult } from '../backend/backend.ts';
import type { Caller } from '../domain/callers/caller.ts';
import { callerKeyOf } from './caller-keys.ts';

/**
 * The key of a caller who may use the state: no stranger, so that nobody else fills or searches the disk. A caller with a
 * lent token was identified by the gateway, and sees jobs also while the service can't be asked.
 */
export async function keyOfKnownCaller(backend: Backend, caller: Caller): BackendResult<string> {
  const authenticated = backend.authenticate(caller);
  if (!authenticated.ok) return authenticated;
  const callerKey = callerKeyOf(caller);
  if (!callerKey.ok) return callerKey;
  const known = await backend.requireKnown(caller);
  return known.ok ? callerKey : known;
}
