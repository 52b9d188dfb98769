/** About 25 ms of parsing. An ordinary request has a few dozen; the variables of a large document may be a thousand. */
const MOST = 20_000;

/** Names get numbers below this, so that a kind and a name make one number. */
const NAMES = 2 ** 21;

/**
 * Counts the kinds of objects in a JSON text: two objects are of one kind where they have the same names in the same order,
 * and each beginning of such a row of names is a kind too. The parser spends about a microsecond on each new kind, so that
 * 260,000 of them, which fit into 8 MB, would take 400 ms.
 */
export class ObjectKinds {
  /** The kind of an object without members. */
  static readonly EMPTY = 0;

  readonly most: number;
  readonly #names = new Map<string, number>();
  /** The kind that a kind becomes with one member more, by both their numbers. */
  readonly #next = new Map<number, number>();

  constructor(most = MOST) {
    this.most = most;
  }

  get isFull(): boolean {
    return this.#next.size > this.most;
  }

  withMember(kind: number, name: string): number {
    const known = this.#names.get(name);
    const number = known ?? this.#names.size;
    if (known === undefined) this.#names.set(name, number);
    const step = kind * NAMES + number;
    const next = this.#next.get(step) ?? this.#next.size + 1;
    this.#next.set(step, next);
    return next;
  }
}
