import type { Log } from '../../../domain/log.ts';

/** What a call says of the service. */
export type Verdict =
  | 'answered'
  /** The call failed, which may lie at what it asked for. */
  | 'failed'
  /** There is no way to the service, whatever a call asks for. */
  | 'unreachable'
  /** Nothing: the call ended for a reason of its own. */
  | 'unclear';

/** Where calls come from: an accepted token, or all strangers together. One of them alone closes the way for no other. */
export class Source {
  /** Failures in a row. */
  failures = 0;
  isTrying = false;
}

/**
 * Spares a service that fails, and its callers the wait: once so many calls in a row have failed, one at a time of each
 * source is let through to try it and the others are refused. The first that is answered ends that, so a recovered service
 * is used at once. The calls of one source that fail while nobody else calls are its own affair: the service may be slow
 * for what they ask for, and well otherwise.
 */
export interface Breaker {
  /** Null where the call was refused: it was not begun. */
  run<T>(source: Source, call: () => Promise<T>, verdictOf: (answer: T) => Verdict): Promise<T | null>;
  /** Whether another call would be refused now. */
  isRefusing(source: Source): boolean;
  /** `performance.now()` of the last failure; null where calls are let through, and where only strangers fail. */
  failingSince(): number | null;
}

/** So many failures in a row. Fewer may be chance; each more is a call whose outcome nobody may ever know. */
const FAILURES = 5;

/** `strangers` is the source of all tokens that the service has not accepted. */
export function createBreaker(log: Log, strangers: Source): Breaker {
  const all = new Failures();
  const isOpen = (source: Source) => source.failures >= FAILURES || (all.count >= FAILURES && all.areOfTheService);
  const isRefusing = (source: Source) => source.isTrying && isOpen(source);

  const fail = (source: Source, verdict: 'failed' | 'unreachable') => {
    source.failures += 1;
    // What strangers ask for may be made to fail, which tells nothing of the calls of others.
    if (source === strangers && verdict === 'failed') return;
    all.add(source, verdict);
    if (all.count === FAILURES) log('warn', 'the service fails: one call at a time tries it', { failures: FAILURES });
  };
  const reset = (source: Source) => {
    if (all.count >= FAILURES) log('info', 'the service answers again');
    source.failures = 0;
    all.clear();
  };

  return {
    async run(source, call, verdictOf) {
      if (isRefusing(source)) return null;
      const isTrial = isOpen(source);
      if (isTrial) source.isTrying = true;
      try {
        const answer = await call();
        const verdict = verdictOf(answer);
        // What was under way when the others failed says nothing new, and must not end a trial that is not its own.
        const isLate = !isTrial && isOpen(source);
        if (verdict === 'answered' && !isLate) reset(source);
        else if (verdict !== 'answered' && verdict !== 'unclear' && !isLate) fail(source, verdict);
        return answer;
      } finally {
        if (isTrial) source.isTrying = false;
      }
    },
    isRefusing,
    failingSince: () => (all.count >= FAILURES ? all.lastAt : null),
  };
}

/** The failures in a row of all calls. */
class Failures {
  count = 0;
  lastAt = 0;
  #only: Source | null = null;
  /** They can't all lie at what one source asks for. */
  areOfTheService = false;

  add(source: Source, verdict: 'failed' | 'unreachable'): void {
    if (this.count > 0 && this.#only !== source) this.areOfTheService = true;
    if (verdict === 'unreachable') this.areOfTheService = true;
    this.#only = source;
    this.count += 1;
    this.lastAt = performance.now();
  }

  clear(): void {
    this.count = 0;
    this.areOfTheService = false;
  }
}
