/** Elements of one array that follow each other, by positions of bytes: from the first one to the comma after the last. */
export interface ArrayPiece {
  readonly start: number;
  readonly end: number;
}

/** Collects pieces of the arrays of a JSON text, while the text is scanned. Pieces do not overlap. */
export class ArrayPieces {
  readonly found: ArrayPiece[] = [];
  readonly #minBytes: number;
  /** The first element of the array at each depth that is in no piece yet. */
  readonly #starts: number[] = [];
  #lastEnd = 0;

  constructor(minBytes: number) {
    this.#minBytes = minBytes;
  }

  /** Takes the position after an opening bracket. */
  open(depth: number, position: number): void {
    this.#starts[depth] = position;
  }

  /** Takes the position after a comma of an array. */
  addComma(depth: number, position: number): void {
    const start = this.#starts[depth];
    const end = position - 1;
    if (start === undefined || end - start < this.#minBytes) return;
    // Elements with a piece of an inner array stay where they are.
    if (start >= this.#lastEnd) {
      this.found.push({ start, end });
      this.#lastEnd = end;
    }
    this.#starts[depth] = position;
  }
}
