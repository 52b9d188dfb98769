import { type Caller, timeLeft } from '../domain/callers/caller.ts';
import type { Engine, Failure } from './dialect.ts';

/** On whose behalf the store works in a call, and for how long. */
export interface CallTerms {
  /** The key of the share of connections that the call counts against. Reads and writes of one token have a share each. */
  readonly account: string;
  /** `performance.now()` after which no statement is begun, and by which those under way are to end. */
  readonly deadline: number;
  /** True once nobody waits for the answer any more. */
  readonly isGone: () => boolean;
}

const neverGone = (): boolean => false;

export function termsOf({ apiToken, client, deadline, isGone }: Caller, kind: 'read' | 'write'): CallTerms {
  const subject = client?.ok ? client.value.subject : null;
  return { account: `${kind} ${subject ?? ''} ${apiToken ?? ''}`, deadline, isGone: isGone ?? neverGone };
}

type Reason = 'CLIENT_GONE' | 'OUT_OF_TIME' | 'STORE_BUSY';

/** Nothing was asked of the store, or what was written is undone: the call had no time, no connection or no listener. */
export class NotBegun extends Error {
  readonly code: Reason;

  constructor(code: Reason) {
    super(code);
    this.code = code;
  }
}

/** Throws where a call is not worth another statement. */
export function assertWanted({ deadline, isGone }: CallTerms, neededMs = 0): void {
  if (isGone()) throw new NotBegun('CLIENT_GONE');
  if (timeLeft({ deadline }) <= neededMs) throw new NotBegun('OUT_OF_TIME');
}

/** What an error says of the call that met it; null where it is a fault of ours. */
export const failureOf = (engine: Engine, error: unknown): Failure | null =>
  error instanceof NotBegun ? { kind: 'not-begun', code: error.code } : engine.failure(error);
