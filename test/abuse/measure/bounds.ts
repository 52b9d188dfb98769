import type { Cost } from './measured-gateway.ts';
import { type Answer, faultOf } from './request.ts';

/** The most that a request may cost: CPU time of the thread that runs the event loop, and memory of the process. */
export const BOUNDS = { untrustedHoldMs: 100, knownHoldMs: 250, memoryMb: 1_000 } as const;

/** The bounds that a request has broken. `never ended` and `died` need no confirmation. */
export type Breach =
  | 'died'
  | 'never ended'
  | 'held the loop'
  | 'took memory'
  | 'failed'
  | 'told the schema'
  | 'wrote raw characters';

export interface Outcome {
  readonly cost: Cost;
  readonly answers: readonly Answer[];
  /** The characters in its lines of the log that control a terminal. */
  readonly rawInLog: readonly string[];
  /** True when the request has a token that the service or the store accepts. */
  readonly isKnown: boolean;
}

export function breachesOf({ cost, answers, rawInLog, isKnown }: Outcome): readonly Breach[] {
  if (cost.end === 'died') return ['died'];
  if (cost.end === 'cut off') return ['never ended'];
  const breaches: Breach[] = [];
  if (cost.holdMs > (isKnown ? BOUNDS.knownHoldMs : BOUNDS.untrustedHoldMs)) breaches.push('held the loop');
  if (cost.peakMb > BOUNDS.memoryMb) breaches.push('took memory');
  if (answers.some((answer) => faultOf(answer) !== null)) breaches.push('failed');
  if (rawInLog.length > 0) breaches.push('wrote raw characters');
  return breaches;
}
