import type { ReadScope } from '../../core/backend.ts';
import { type Fence, joinFences, openFence } from '../../core/base/fence.ts';
import { err, ok, type Result } from '../../core/base/result.ts';
import { type BackendError, unavailable } from '../../core/errors.ts';
import type { SharedState } from '../../core/shared-state.ts';
import { unlessUnavailable } from '../../core/state-unavailable.ts';
import type { CallStep } from '../calls/call.ts';
import { isOutcomeKnown, notBegun, type ServiceCall } from '../calls/service-call.ts';
import { LocalInvalidations } from './local-invalidations.ts';

/** Marks of writes: in this process, or in the state where several gateways share one. */
export interface Invalidations {
  readonly isShared: boolean;
  /**
   * Equal at two times between which no write of the scope began or ended. Null while a write is under way, and while
   * that can't be known. A promise only where the marks are shared: it tells what the state says after the call.
   */
  generationOf(scope: string): string | null | Promise<string | null>;
  /** Marks the scope before a write. An error is the reason why the write must not be sent. */
  begin(scope: string): Promise<Result<Invalidation, BackendError>>;
}

/** The mark of one write. */
interface Invalidation {
  /** Late where the write could take effect after the end of a mark that is not lifted. */
  readonly fence?: Fence | undefined;
  /** Lifts the mark, before the write is answered. Where the write may still take effect, the mark is left to its time. */
  end(): unknown;
}

/** Marks each write before it is sent, and lifts the mark before it is answered. */
export const createInvalidationStep =
  (invalidations: Invalidations): CallStep =>
  async (call, next) => {
    if (call.operation.kind === 'read') return next(call);
    const begun = await invalidations.begin(scopeOf(call.token.key, call.operation));
    if (!begun.ok) return err(notBegun(begun.error));
    const result = await next({ ...call, fence: joinFences([call.fence, begun.value.fence]) });
    if (isOutcomeKnown(result)) await begun.value.end();
    return result;
  };

/** The reads of a token that a read belongs to, or that a write may change. */
export const scopeOf = (tokenKey: string, call: ServiceCall): string =>
  `${tokenKey}:${call.kind === 'write' ? call.staleReads : readScopeOf(call)}`;

const readScopeOf = ({ path }: ServiceCall): ReadScope => (path[0] === 'Readers' ? 'groups' : 'articles');

interface InvalidationsOptions {
  readonly shared: SharedState | null;
  /** `open`: writes go on without a mark while the state can't be reached. */
  readonly onFailure: 'closed' | 'open';
  /** Milliseconds for one call. */
  readonly timeoutMs: number;
  /** Milliseconds for which a response is kept at most. */
  readonly keptMs: number;
}

/** A write begins within the time of a call and so many milliseconds after its mark. */
const BEGIN_MARGIN_MS = 1_000;

export function createInvalidations({ shared, onFailure, timeoutMs, keptMs }: InvalidationsOptions): Invalidations {
  const beginMs = timeoutMs + BEGIN_MARGIN_MS;
  // A write takes effect within the time of its call.
  const invalidMs = beginMs + timeoutMs;
  if (shared === null) return new LocalInvalidations({ invalidMs, keptMs });
  return {
    isShared: true,
    async generationOf(scope) {
      const [invalidation] = (await unlessUnavailable(() => shared.readMarks.check([scope]))) ?? [];
      return invalidation === undefined || invalidation.isMarked ? null : `${invalidation.generation}`;
    },
    async begin(scope) {
      const fence = openFence(beginMs);
      const invalidation = await unlessUnavailable(() => shared.readMarks.begin(scope, invalidMs));
      // A mark that can't be lifted ends by itself.
      if (invalidation !== null) return ok({ fence, end: () => unlessUnavailable(() => invalidation.end()) });
      return onFailure === 'open' ? ok(NO_INVALIDATION) : err(unavailable(NOT_INVALIDATED_MESSAGE));
    },
  };
}

/** Other gateways may answer what was before such a write for as long as they keep responses. */
const NO_INVALIDATION: Invalidation = { end: () => {} };

const NOT_INVALIDATED_MESSAGE =
  'The state that the gateways share cannot be reached, and without it the others would answer from their caches what was ' +
  'before this write; nothing was sent.';
