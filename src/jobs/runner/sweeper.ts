import type { JobContext } from '../job-context.ts';
import type { Ledger } from '../state/ledger.ts';

/** The pause between two sweeps. */
const SWEEP_INTERVAL_MS = 60_000;

/** Operators are warned from this part of all bytes on. */
const NEARLY_FULL = 3 / 4;

/** Deletes what has expired: once a minute, after a cancel, and where the ledger is full. */
export class Sweeper {
  readonly #context: Pick<JobContext, 'session' | 'settings' | 'clock' | 'log'>;
  #sweptAt = Number.NEGATIVE_INFINITY;
  #sweeping: Promise<void> | null = null;
  #freeing: Promise<boolean> | null = null;
  /** The bytes of all jobs and keys at the last count; null before the first. */
  usedBytes: number | null = null;
  #isNearlyFull = false;
  #isStopped = false;

  constructor(context: Pick<JobContext, 'session' | 'settings' | 'clock' | 'log'>) {
    this.#context = context;
  }

  /** Makes the next sweep begin at once. */
  hurry(): void {
    this.#sweptAt = Number.NEGATIVE_INFINITY;
  }

  /** Sweeps where the interval is over. */
  async begin(ledger: Ledger): Promise<void> {
    const now = this.#context.clock.monotonic();
    if (this.#sweeping !== null || now - this.#sweptAt < SWEEP_INTERVAL_MS) return;
    this.#sweptAt = now;
    this.#sweeping = this.#sweep(ledger);
    try {
      await this.#sweeping;
    } catch (error) {
      this.hurry();
      throw error;
    } finally {
      this.#sweeping = null;
    }
  }

  async #sweep(ledger: Ledger): Promise<void> {
    for (let isMoreLeft = true; isMoreLeft; ) {
      if (this.#isStopped) return;
      isMoreLeft = await ledger.sweep(this.#context.settings);
    }
    this.usedBytes = await ledger.usedBytes();
    this.#warn(this.usedBytes);
  }

  /** Frees a part of the room of what has expired, once for all who need room at the same time. True where more is left. */
  freeRoom(): Promise<boolean> {
    this.#freeing ??= this.#freeRoom().finally(() => {
      this.#freeing = null;
    });
    return this.#freeing;
  }

  async #freeRoom(): Promise<boolean> {
    const ledger = await this.#context.session.open();
    const isMoreLeft = await ledger.sweep(this.#context.settings);
    if (isMoreLeft) this.hurry();
    return isMoreLeft;
  }

  /** Stops the sweep after its statements that are under way. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#sweeping?.catch(() => {});
  }

  #warn(usedBytes: number): void {
    const { settings, log } = this.#context;
    const isNearlyFull = usedBytes > NEARLY_FULL * settings.maxBytes;
    const fields = { usedBytes, maxBytes: settings.maxBytes };
    if (isNearlyFull && !this.#isNearlyFull) log('warn', 'the state of jobs is nearly full', fields);
    if (!isNearlyFull && this.#isNearlyFull) log('info', 'the state of jobs has room again', fields);
    this.#isNearlyFull = isNearlyFull;
  }
}
