import { setTimeout } from 'node:timers/promises';
import { StateUnavailable } from '../state-unavailable.ts';
import type { Membership } from './gateways.ts';
import { sweepShared } from './shared-sweep.ts';
import type { StateLink } from './state-link.ts';

/** The pause between two beats, and between two probes after a failure, in milliseconds. */
const BEAT_MS = 1_000;
const SWEEP_MS = 60_000;

/** Tells again and again that this gateway lives, and sweeps. */
export function startBeating(link: StateLink, membership: Membership): { stop(): Promise<void> } {
  const stopping = new AbortController();
  let sweptAt = performance.now();

  const beat = async () => {
    await membership.beat();
    if (performance.now() - sweptAt < SWEEP_MS) return;
    sweptAt = performance.now();
    await sweepShared(link);
  };
  const run = async () => {
    while (!stopping.signal.aborted) {
      await setTimeout(BEAT_MS, undefined, { signal: stopping.signal, ref: false }).catch(() => {});
      if (stopping.signal.aborted) return;
      await beat().catch((error: unknown) => {
        if (!(error instanceof StateUnavailable)) throw error;
      });
    }
  };
  const running = run();
  return {
    stop: () => {
      stopping.abort();
      return running;
    },
  };
}
