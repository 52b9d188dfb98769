/**
 * The port to the state that several gateways in front of one service share. Without it, each gateway is on its own.
 * Each method ends within `STATE_TIMEOUT_MS`, except for documented waits, and rejects with `StateUnavailable` where
 * the state can't be used; it may have had its effect then. Names and keys are hashes: no API token and no ID of the
 * service is kept.
 */
export interface SharedState {
  readonly budgets: SharedBudgets;
  readonly groupLocks: GroupLocks;
  readonly invalidations: SharedInvalidations;
  readonly acceptedTokens: AcceptedTokens;
  readonly creations: SharedCreations;
  /** The number of gateways with a recent heartbeat, this one included, as last known. It is at least 1. */
  gatewayCount(): number;
  /** The reason why the state can't be used now; null while it can. Makes no call. */
  problem(): string | null;
  close(): Promise<void>;
}

/** The longest time of one method. */
export const STATE_TIMEOUT_MS = 2_000;

/** The budget of each API token. Its text belongs to the caller. */
export interface SharedBudgets {
  /**
   * Replaces the budget of a token atomically. `change` gets null where there is none, and the milliseconds since 1970
   * by the clock of the state. It may be repeated after a conflict, so it must have no side effects.
   */
  update<R>(tokenKey: string, change: (budget: string | null, now: number) => BudgetChange<R>): Promise<R>;
}

export interface BudgetChange<R> {
  /** The new budget; null leaves it unchanged. */
  readonly budget: string | null;
  readonly result: R;
}

/** The tokens that the service has accepted within a day, by the keys that name them at the service. */
export interface AcceptedTokens {
  has(tokenKey: string): Promise<boolean>;
  add(tokenKey: string): Promise<void>;
}

/**
 * The creates that gateways have announced, by their places: the hashes that are equal for equal creates. A gateway
 * compares its own creates in its process.
 */
export interface SharedCreations {
  /** Announces the creates of one request before its calls, and gives the ID of the announcement. */
  announce(places: readonly string[]): Promise<string>;
  /**
   * True where no other gateway had announced a create of that place before this call. False also for an announcement
   * that is older than an hour, or not known any more, since those of others may be gone, too.
   */
  isOnlyOne(announcementId: string, place: string): Promise<boolean>;
  /** Deletes the announcement of a request that has created nothing. */
  withdraw(announcementId: string): Promise<void>;
}

/** Locks of reader groups. A lock ends with its process, and when its connection to the state is lost. */
export interface GroupLocks {
  /** Waits for the lock; null when it was not free before `timeoutMs`. */
  acquire(groupKey: string, timeoutMs: number): Promise<GroupLock | null>;
}

export interface GroupLock {
  /** Milliseconds to wait before the group is read: until then, a write of a lost holder may still take effect. */
  readonly settlesInMs: number;
  /**
   * Notes that a write which begins now may take effect for `ms`. Rejects, with nothing noted, where the lock was lost:
   * the write must not be sent then. It must be called before each write.
   */
  noteWrite(ms: number): Promise<void>;
  /** Removes the note, since the write has its outcome. Otherwise the next holder waits for the rest of the note's time. */
  endWrite(): Promise<void>;
  /** Never rejects. */
  release(): Promise<void>;
}

/** The invalidations of writes, by which the read caches of all gateways know what may have changed. */
export interface SharedInvalidations {
  /**
   * The generation of each scope, and whether a write is under way, after the call. What was read while none was under
   * way is current while the generation is the same.
   */
  check(scopes: readonly string[]): Promise<readonly ScopeState[]>;
  /**
   * Invalidates the scope before a write that may take effect for `ms`. Each beginning and each end is a new
   * generation. Where it rejects, other gateways may use what they have read before the write.
   */
  begin(scope: string, ms: number): Promise<SharedInvalidation>;
}

export interface ScopeState {
  readonly generation: number;
  readonly isInvalid: boolean;
}

export interface SharedInvalidation {
  /**
   * Ends only this invalidation. Otherwise it expires after its time. Its end is a new generation even after it has
   * expired, since others may have kept what they read before the write took effect.
   */
  end(): Promise<void>;
}
