/** About 25 ms of parsing. Ordinary requests have a few dozen shapes, large documents about a thousand. */
const MAX_SHAPES = 20_000;

/** Name IDs are below this number, so that a shape and a name fit in one key. */
const MAX_NAMES = 2 ** 21;

/**
 * Counts the shapes of the objects in a JSON text. Objects with the same names in the same order share a shape, and
 * each prefix of such a list of names is a shape too, as in the hidden classes of V8. Its parser spends about a
 * microsecond on each new shape: the 260,000 that fit into 8 MB would take 400 ms.
 */
export class ObjectShapes {
  /** The shape of an object without members. */
  static readonly EMPTY = 0;

  readonly maxShapes: number;
  readonly #nameIds = new Map<string, number>();
  /** The next shape by shape and added name. */
  readonly #transitions = new Map<number, number>();

  constructor(maxShapes = MAX_SHAPES) {
    this.maxShapes = maxShapes;
  }

  get isFull(): boolean {
    return this.#transitions.size > this.maxShapes;
  }

  withMember(shape: number, name: string): number {
    const known = this.#nameIds.get(name);
    const nameId = known ?? this.#nameIds.size;
    if (known === undefined) this.#nameIds.set(name, nameId);
    const transition = shape * MAX_NAMES + nameId;
    const nextShape = this.#transitions.get(transition) ?? this.#transitions.size + 1;
    this.#transitions.set(transition, nextShape);
    return nextShape;
  }
}
