/**
 * The port to what several gateways in front of one service know together. Where there is none, each gateway keeps to
 * itself. Each method ends within `STATE_TIMEOUT_MS` but for waits that are named, and rejects with `StateUnavailable`
 * where the state can't be used; it may have had its effect then. Names and keys are hashes: no API token and no ID of
 * the service is kept.
 */
export interface SharedState {
  readonly budgets: SharedBudgets;
  readonly groupLocks: GroupLocks;
  readonly readMarks: ReadMarks;
  readonly acceptedTokens: AcceptedTokens;
  /** How many gateways have told lately that they live, this one included; as last known, at least 1. */
  gatewayCount(): number;
  /** The reason why the state can't be used now; null while it can. Makes no call. */
  problem(): string | null;
  close(): Promise<void>;
}

/** The longest time of one method. */
export const STATE_TIMEOUT_MS = 2_000;

/** The budget of each API token, as text whose meaning belongs to the caller. */
export interface SharedBudgets {
  /**
   * Replaces the budget of a token, and nobody else changes it between. `change` gets null where there is none, and the
   * milliseconds since 1970 by the clock of the state. It may run again after a conflict, so it has no other effect.
   */
  update<R>(tokenKey: string, change: (budget: string | null, now: number) => BudgetChange<R>): Promise<R>;
}

export interface BudgetChange<R> {
  /** Null leaves the budget as it is. */
  readonly budget: string | null;
  readonly result: R;
}

/** The tokens that the service has accepted within a day, by the keys that name them at the service. */
export interface AcceptedTokens {
  has(tokenKey: string): Promise<boolean>;
  add(tokenKey: string): Promise<void>;
}

/** Locks of reader groups. A lock ends with its process, and when its connection to the state is lost. */
export interface GroupLocks {
  /** Waits for the lock; null when it was not free before `timeoutMs`. */
  acquire(groupKey: string, timeoutMs: number): Promise<GroupLock | null>;
}

export interface GroupLock {
  /** Milliseconds before the group is read: until then, a write of a holder that was lost may still take effect. */
  readonly settlesInMs: number;
  /**
   * Notes that a write which begins now may take effect for `ms`. Rejects, with nothing noted, where the lock was lost:
   * the write must not be sent then. Must be called before each write.
   */
  noteWrite(ms: number): Promise<void>;
  /** Removes the note: the write has its outcome. Without it, who comes next waits for the rest of its time. */
  endWrite(): Promise<void>;
  /** Never rejects. */
  release(): Promise<void>;
}

/** Marks of writes, by which the read caches of all gateways know what may have changed. */
export interface ReadMarks {
  /**
   * The writes of a scope so far, and whether one is under way, as they are after the call. What was read while a scope
   * was unmarked is current as long as its generation is the same.
   */
  check(scopes: readonly string[]): Promise<readonly ScopeMark[]>;
  /**
   * Marks the scope before a write that may take effect for `ms`. Each beginning and each end is a new generation. Where
   * it rejects, others may use what they have read before the write.
   */
  begin(scope: string, ms: number): Promise<ReadMark>;
}

export interface ScopeMark {
  readonly generation: number;
  readonly isMarked: boolean;
}

/** The mark of one write. */
export interface ReadMark {
  /**
   * Lifts this mark and no other one. Without it, the mark ends by itself after its time. Also where it has, the end is a
   * new generation, since others may have kept what they read before the write took effect.
   */
  end(): Promise<void>;
}
