/** About 25 ms of parsing. Ordinary requests have a few dozen shapes, large documents about a thousand. */
const MAX_SHAPES = 20_000;

/**
 * Counts the shapes of the objects in a JSON text. Objects with the same names in the same order share a shape, and
 * each prefix of such a list of names is a shape too, as in the hidden classes of V8. Its parser spends about a
 * microsecond on each new shape: the 260,000 that fit into 8 MB would take 400 ms.
 */
export class ObjectShapes {
  /** The shape of an object without members. */
  static readonly EMPTY = 0;

  readonly maxShapes: number;
  /** The next shapes of each shape, by the added name. */
  readonly #nextShapes: Map<string, number>[] = [new Map()];

  constructor(maxShapes = MAX_SHAPES) {
    this.maxShapes = maxShapes;
  }

  get isFull(): boolean {
    return this.#nextShapes.length - 1 > this.maxShapes;
  }

  /** A text that is not JSON may have a name outside of an object, which counts as that of an empty one. */
  withMember(shape: number, name: string): number {
    const nextShapes = this.#nextShapes[shape] ?? this.#nextShapes[ObjectShapes.EMPTY];
    const known = nextShapes?.get(name);
    if (known !== undefined) return known;
    const nextShape = this.#nextShapes.push(new Map()) - 1;
    nextShapes?.set(name, nextShape);
    return nextShape;
  }
}
