import { type Caller, isLent, timeLeft } from '../../../domain/callers/caller.ts';
import { networkOf } from '../../../domain/callers/network.ts';
import { Quota, strangersPart } from '../../../domain/callers/quota.ts';
import { type BackendError, unavailable } from '../../../domain/errors.ts';
import { err, type Result } from '../../../domain/result.ts';
import { Gate, type Holder } from '../rate-limit/semaphore.ts';
import type { Verification } from '../tokens/token-verification.ts';
import type { Upstream } from '../upstream.ts';

/** Takes the updates of one group one after another: each is read, merged and written without another between. */
export interface GroupQueue {
  inTurn<T>(caller: Caller, groupId: string, update: () => Promise<T>): Promise<Result<T, BackendError>>;
}

export interface GroupQueueOptions {
  readonly upstream: Pick<Upstream, 'tokenOf'>;
  readonly verification: Pick<Verification, 'isAccepted' | 'refusalOf'>;
}

/** So many updates of one group wait for their turn; one more fails at once. */
const MAX_WAITING = 1_000;

/** The turn is whole, and of the places to wait in, one token has so many. */
const SHARE = { slots: 1, waiting: 100 };

/**
 * Whose turn it is keeps everybody else from the group. So a stranger gets none: before that, the service is asked once
 * whether it accepts the token. Where it does not tell, the token has a turn after all others, and a small part of the places.
 */
export function createGroupQueue({ upstream, verification }: GroupQueueOptions): GroupQueue {
  const gates = new Map<string, Gate>();
  const strangers = new Quota(strangersPart(MAX_WAITING));

  const takeTurn = async <T>(
    groupId: string,
    { caller, holder, update }: Turn<T>,
  ): Promise<Result<T, BackendError>> => {
    // Whether the service tells IDs apart by their case is not known; taking turns too often does no harm.
    const key = groupId.toLowerCase();
    const gate = gates.get(key) ?? new Gate({ slots: 1, waiting: MAX_WAITING, share: SHARE });
    gates.set(key, gate);
    const entry = await gate.enter(timeLeft(caller), holder);
    if (entry !== 'entered') return err(unavailable(TURN_DENIED[entry]));
    try {
      return { ok: true, value: await update() };
    } finally {
      gate.leave(holder);
      if (gate.isIdle) gates.delete(key);
    }
  };

  return {
    async inTurn(caller, groupId, update) {
      const isKnown = () => isLent(caller) || verification.isAccepted(caller);
      const refusal = isKnown() ? null : await verification.refusalOf(caller);
      if (refusal) return err(refusal);
      const name = `token ${upstream.tokenOf(caller)}`;
      if (isKnown()) return takeTurn(groupId, { caller, holder: { name, isStranger: false }, update });
      const network = networkOf(caller.address);
      if (!strangers.tryTake(network)) return err(unavailable(TURN_DENIED.full));
      const turn = takeTurn(groupId, { caller, holder: { name: network, isStranger: true }, update });
      return turn.finally(() => strangers.giveBack(network));
    },
  };
}

interface Turn<T> {
  readonly caller: Caller;
  readonly holder: Holder;
  readonly update: () => Promise<T>;
}

const TURN_DENIED = {
  full: 'Too many updates of this reader group are waiting already; nothing was sent.',
  'too-late': 'Other updates of this reader group took all the time there was; nothing was sent.',
} as const;
