import { type Caller, type ClientAuthentication, createCaller, createJwtCaller } from '../domain/callers/caller.ts';
import type { LendToken } from './token-lending.ts';

interface CallerIdentification {
  /** Null where API tokens alone decide. */
  readonly clients: ClientAuthentication | null;
  /** Null where the gateway has no token to lend. */
  readonly lend: LendToken | null;
}

/** Identifies the caller of a request by its headers, and lends the caller a token where it may have one. */
export function identifyCaller(
  options: Parameters<typeof createCaller>[0],
  { clients, lend }: CallerIdentification,
): Caller | Promise<Caller> {
  if (clients) {
    const caller = createJwtCaller(options, clients);
    return lend ? caller.then(lend) : caller;
  }
  const caller = createCaller(options);
  return lend ? lend(caller) : caller;
}
