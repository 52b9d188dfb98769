import type { Caller } from '../../../domain/callers/caller.ts';
import { type BackendError, queryTooCostly } from '../../../domain/errors.ts';
import { err, type Result } from '../../../domain/result.ts';
import { pathIdProblem } from '../../../domain/text.ts';
import type { Call } from '../http/client.ts';
import type { Upstream } from '../upstream.ts';
import { type Payload, readPayload } from './read-response.ts';

/** The reads of one caller between two of its writes: what was read once is not read again, and never for another caller. */
export interface ReadSession {
  readonly caller: Caller;
  /** Costs one call of the caller's budget, and is refused where that is spent. */
  get(path: Call['path'], query?: Call['query']): Promise<Payload>;
}

export interface ReadSessions {
  of(caller: Caller): ReadSession;
  /** After a write: what the caller has read may be true no more. The budget stays spent. */
  forget(caller: Caller): void;
}

export function createReadSessions(upstream: Upstream, maxCalls: number): ReadSessions {
  const sessions = new WeakMap<Caller, ReadSession>();
  const spent = new WeakMap<object, number>();

  const open = (caller: Caller): ReadSession => ({
    caller,
    async get(path, query = {}) {
      const request = caller.request ?? caller;
      const calls = spent.get(request) ?? 0;
      if (calls >= maxCalls) return err(queryTooCostly(tooCostly(maxCalls)));
      spent.set(request, calls + 1);
      return readPayload(await upstream.send(caller, { method: 'GET', path, query }));
    },
  });

  return {
    of(caller) {
      const session = sessions.get(caller) ?? open(caller);
      sessions.set(caller, session);
      return session;
    },
    forget(caller) {
      sessions.delete(caller);
    },
  };
}

const tooCostly = (maxCalls: number): string =>
  `The query needs more than ${maxCalls} calls of the service. Ask for fewer items, or for fewer of their links.`;

/** Whether the IDs can stand in a path: what can't be asked for does not exist. */
export const canBeNamed = (...ids: readonly string[]): boolean => ids.every((id) => pathIdProblem(id) === null);

export type Found<T> = Promise<Result<T, BackendError>>;

/** Reads a thing at most once per session. */
export type Memo<T> = (session: ReadSession, key: string, read: () => Found<T>) => Found<T>;

export function createMemo<T>(): Memo<T> {
  const kept = new WeakMap<ReadSession, Map<string, Found<T>>>();
  return (session, key, read) => {
    const found = kept.get(session) ?? new Map<string, Found<T>>();
    kept.set(session, found);
    const value = found.get(key) ?? read();
    found.set(key, value);
    return value;
  };
}
