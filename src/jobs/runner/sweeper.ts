import type { JobContext } from '../job-context.ts';
import type { Ledger } from '../state/ledger.ts';

/** The pause between two sweeps. */
const SWEEP_INTERVAL_MS = 60_000;

/** The part of all bytes from which on operators are warned, and each caller leaves room for others. */
const NEARLY_FULL = 3 / 4;

/** Ends what is kept for too long: now and then, after a cancel, and where the ledger is full. */
export class Sweeper {
  readonly #context: Pick<JobContext, 'session' | 'settings' | 'clock' | 'log'>;
  #sweptAt = Number.NEGATIVE_INFINITY;
  #sweeping: Promise<void> | null = null;
  #freeing: Promise<void> | null = null;
  /** The bytes of all jobs and keys when they were counted last; null before. */
  usedBytes: number | null = null;
  #isNearlyFull = false;
  #isStopped = false;

  constructor(context: Pick<JobContext, 'session' | 'settings' | 'clock' | 'log'>) {
    this.#context = context;
  }

  /** Has the next sweep begin at once. */
  hurry(): void {
    this.#sweptAt = Number.NEGATIVE_INFINITY;
  }

  /** Begins a sweep where it is time, for which nobody needs to wait. */
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

  /** Frees the room of what has expired. All who need room at one time share it. */
  async freeRoom(): Promise<void> {
    this.#freeing ??= this.#freeRoom().finally(() => {
      this.#freeing = null;
    });
    await this.#freeing;
  }

  async #freeRoom(): Promise<void> {
    const ledger = await this.#context.session.open();
    if (await ledger.sweep(this.#context.settings)) this.hurry();
  }

  /** Ends after the statements that are under way. */
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
