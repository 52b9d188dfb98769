import { MAX_COUNTED_CALLERS } from './limits.ts';

const MINUTE_MS = 60_000;

/** The minute that begins with the first event of a key. */
interface RateWindow {
  readonly endsAt: number;
  events: number;
}

/** The rest of a key's minute. */
export interface Allowance {
  readonly perMinute: number;
  readonly remaining: number;
  /** Whole seconds until the minute ends. */
  readonly resetSeconds: number;
}

/** Counts events of each key per minute. Beyond `MAX_COUNTED_CALLERS`, the minutes that end first are forgotten. */
export class RateWindows {
  readonly #perMinute: number;
  /** The windows in the order in which they end, since all are equally long. Expired ones come first. */
  readonly #windows = new Map<string, RateWindow>();

  constructor(perMinute: number) {
    this.#perMinute = perMinute;
  }

  /** Counts an event of the key, unless its minute has none left. */
  tryCount(key: string): Allowance & { readonly isCounted: boolean } {
    const now = performance.now();
    const current = this.#windows.get(key);
    const window = current && current.endsAt > now ? current : this.#begin(key, now);
    const isCounted = window.events < this.#perMinute;
    if (isCounted) window.events += 1;
    const perMinute = this.#perMinute;
    const resetSeconds = Math.ceil((window.endsAt - now) / 1_000);
    return { isCounted, perMinute, remaining: perMinute - window.events, resetSeconds };
  }

  #begin(key: string, now: number): RateWindow {
    for (const [other, { endsAt }] of this.#windows) {
      if (endsAt > now && this.#windows.size < MAX_COUNTED_CALLERS) break;
      this.#windows.delete(other);
    }
    const window = { endsAt: now + MINUTE_MS, events: 0 };
    this.#windows.set(key, window);
    return window;
  }
}
