import type { SeededRandom } from './random.ts';
import type { ServiceOptions, SimulatedService } from './simulated-service.ts';
import type { VirtualTime } from './virtual-time.ts';

/** A token with a small rate limit, which others may use as well. */
export interface BusyToken {
  readonly service: Pick<ServiceOptions, 'callsPerMinute' | 'windowMs' | 'tellsReset'>;
  /** The calls that others take together, and how often; null without others. */
  readonly others: { readonly calls: number; readonly everyMs: number } | null;
}

/** Null where the token of the run is not busy. */
export function pickBusyToken(random: SeededRandom): BusyToken | null {
  if (random.chance(0.6)) return null;
  const callsPerMinute = random.between(1, 16);
  const windowMs = random.pick([4_000, 10_000, 60_000, random.between(2_000, 60_000)]);
  const others = random.chance(0.5) ? { calls: random.between(1, 3), everyMs: random.between(500, 40_000) } : null;
  return { service: { callsPerMinute, windowMs, tellsReset: random.chance(0.5) }, others };
}

/** Has the others call until the time. From then on the token is the gateways' own, so that all jobs can end. */
export function runOthers(
  { others }: BusyToken,
  world: { service: SimulatedService; time: VirtualTime },
  until: number,
) {
  const { service, time } = world;
  const call = () => {
    if (others === null || time.now >= until) return;
    service.useUp(others.calls);
    time.schedule(others.everyMs, call);
  };
  call();
}
