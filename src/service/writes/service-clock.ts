import type { Caller } from '../../core/callers/caller.ts';
import type { Upstream } from '../calls/call-pipeline.ts';
import type { RequestResult, ServiceCall } from '../calls/service-call.ts';
import { serviceTimeOf } from '../v2/rate-limit.ts';

/** Milliseconds by which something may seem to be made before the call that has made it. */
export const TOLERANCE_MS = 5_000;

/** The precision of a header `Date`, which is cut to seconds. */
const DATE_PRECISION_MS = 1_000;

/** Makes calls, and estimates the service's clock from the answers. */
export function createServiceClock(upstream: Pick<Upstream, 'send'>) {
  /** The largest lead of the service's clock over `performance.now()`, in milliseconds; null where no answer shows it. */
  let lead: number | null = null;
  return {
    async send(caller: Caller, call: ServiceCall): Promise<RequestResult> {
      const sent = { at: 0 };
      const result = await upstream.send(caller, { ...call, sent });
      const time = result.ok ? serviceTimeOf(result.value.headers) : null;
      // The answer was made after its call was sent, so the difference was at most this.
      if (time !== null) lead = Math.max(lead ?? Number.NEGATIVE_INFINITY, time + DATE_PRECISION_MS - sent.at);
      return result;
    },
    /** The latest time that the service's clock may have shown at a `performance.now()`. */
    latestAt: (moment: number): number => (lead ?? Number.POSITIVE_INFINITY) + moment,
  };
}
