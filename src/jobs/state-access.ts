import type { Backend, BackendResult } from '../backend/backend.ts';
import { ok } from '../base/result.ts';
import { type Caller, usesLentToken } from '../domain/callers/caller.ts';
import { callerKeyOf } from './caller-keys.ts';

/**
 * The key of a caller who may use the state. Over the service that is a caller whose token it has accepted, so that
 * others can neither fill nor search the disk. A caller with a lent token was identified by the gateway, and sees jobs
 * also while the service can't be asked.
 */
export async function keyOfTrustedCaller(backend: Backend, caller: Caller): BackendResult<string> {
  const authenticated = backend.authenticate(caller);
  if (!authenticated.ok) return authenticated;
  const callerKey = callerKeyOf(caller);
  if (!callerKey.ok || usesLentToken(caller) || backend.isAccepted(caller)) return callerKey;
  const verified = await backend.verifyToken(caller);
  return verified.ok ? ok(callerKey.value) : verified;
}
