import type { Attributes } from '@opentelemetry/api';

/** Stands for all sets of attributes beyond the limit, as in OpenTelemetry's SDK. */
export const OVERFLOW: Attributes = { 'otel.metric.overflow': true };

interface AttributeSetsOptions {
  /** Sets that always have series of their own, by their keys. */
  readonly reserved: ReadonlySet<string>;
  /** How many other sets have series of their own: those that come first. */
  readonly maxOthers: number;
}

/**
 * The sets of attributes of one metric. Each is one object, which is made once. Clients bring about the sets that are
 * not reserved, so their number is bounded.
 */
export class AttributeSets {
  readonly #options: AttributeSetsOptions;
  readonly #sets = new Map<string, Attributes>();
  #others = 0;

  constructor(options: AttributeSetsOptions) {
    this.#options = options;
  }

  /** `create` makes the set of a key that is new. */
  get(key: string, create: () => Attributes): Attributes {
    const known = this.#sets.get(key);
    if (known !== undefined) return known;
    if (!this.#options.reserved.has(key)) {
      if (this.#others >= this.#options.maxOthers) return OVERFLOW;
      this.#others += 1;
    }
    const attributes = create();
    this.#sets.set(key, attributes);
    return attributes;
  }
}
