/** How much strangers may have of something that many share. */
export interface Part {
  /** All of them together. */
  readonly all: number;
  /** One holder, so that one of them can't take the part of the others. */
  readonly each: number;
}

/** A quarter for all strangers together, and a quarter of that for those of one network. */
export const strangersPart = (whole: number): Part => ({
  all: Math.max(1, Math.floor(whole / 4)),
  each: Math.max(1, Math.floor(whole / 16)),
});

/** Counts what each holder has, and refuses what is beyond the part. */
export class Quota {
  readonly #part: Part;
  readonly #counts = new Map<string, number>();
  #all = 0;

  constructor(part: Part) {
    this.#part = part;
  }

  /** Gives the holder one more. False where the holder, or all of them together, have as many as they may. */
  tryTake(holder: string): boolean {
    const count = this.#counts.get(holder) ?? 0;
    if (this.#all >= this.#part.all || count >= this.#part.each) return false;
    this.#all += 1;
    this.#counts.set(holder, count + 1);
    return true;
  }

  /** Exactly once for each that was taken. */
  giveBack(holder: string): void {
    const count = this.#counts.get(holder) ?? 0;
    this.#all -= 1;
    if (count > 1) this.#counts.set(holder, count - 1);
    else this.#counts.delete(holder);
  }
}
