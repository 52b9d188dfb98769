import { type Caller, timeLeft } from '../../domain/caller.ts';
import { type BackendError, unavailable } from '../../domain/errors.ts';
import { err, type Result } from '../../domain/result.ts';
import { Gate } from './gate.ts';

/** Takes the updates of one group one after another: each is read, merged and written without another between. */
export interface GroupQueue {
  inTurn<T>(caller: Caller, groupId: string, update: () => Promise<T>): Promise<Result<T, BackendError>>;
}

/** So many updates of one group wait for their turn; one more fails at once. */
const MAX_WAITING = 100;

export function createGroupQueue(): GroupQueue {
  const gates = new Map<string, Gate>();
  return {
    async inTurn(caller, groupId, update) {
      // Whether the service tells IDs apart by their case is not known; taking turns too often does no harm.
      const key = groupId.toLowerCase();
      const gate = gates.get(key) ?? new Gate({ slots: 1, waiting: MAX_WAITING });
      gates.set(key, gate);
      const entry = await gate.enter(timeLeft(caller));
      if (entry !== 'entered') return err(unavailable(TURN_DENIED[entry]));
      try {
        return { ok: true, value: await update() };
      } finally {
        gate.leave();
        if (gate.isIdle) gates.delete(key);
      }
    },
  };
}

const TURN_DENIED = {
  full: 'Too many updates of this reader group are waiting already; nothing was sent.',
  'too-late': 'Other updates of this reader group took all the time there was; nothing was sent.',
} as const;
