/** What a row sets of an article as a whole. */
interface SharedMembers {
  readonly articleId: string;
  readonly categoryId?: string | null | undefined;
  readonly hidden?: boolean | null | undefined;
  readonly order?: number | null | undefined;
}

const MEMBERS = ['categoryId', 'hidden', 'order'] as const satisfies (keyof SharedMembers)[];

/** A row that sets what all languages of an article share to another value than an earlier row. */
interface SharedConflict {
  readonly member: (typeof MEMBERS)[number];
  /** The earlier row, by its position from 0. */
  readonly index: number;
  readonly value: unknown;
}

/** The most rows of a sheet, so that a position and a hash of 32 bits are one number. */
const MAX_ROWS = 2 ** 20;

/** Finds rows of one article that disagree in what all of its languages share. It keeps hashes, since a file may be large. */
export class SharedValues {
  readonly #values = new HashedTexts();

  /** The conflicts of a row with earlier ones, which `earlierAt` gives. */
  add(
    index: number,
    update: SharedMembers,
    earlierAt: (index: number) => SharedMembers | undefined,
  ): readonly SharedConflict[] {
    return MEMBERS.flatMap((member): readonly SharedConflict[] => {
      const value = update[member];
      if (value == null || index >= MAX_ROWS) return [];
      const hashed = (hashOf(keyOf(value)) % 2 ** 32) * MAX_ROWS + index;
      const first = this.#values.put(`${member} ${keyOf(update.articleId)}`, hashed);
      if (Math.floor(first / MAX_ROWS) === Math.floor(hashed / MAX_ROWS)) return [];
      const earlier = earlierAt(first % MAX_ROWS);
      const isSame = keyOf(earlier?.articleId) === keyOf(update.articleId);
      const isConflict = isSame && keyOf(earlier?.[member]) !== keyOf(value);
      return isConflict ? [{ member, index: first % MAX_ROWS, value: earlier?.[member] }] : [];
    });
  }
}

/** Equal for equal values, and for IDs in another case. */
const keyOf = (value: unknown): string => String(value).toLowerCase();

/** Says what two rows set. */
export const conflictMessage = (
  { member, value }: SharedConflict,
  update: SharedMembers,
  place = 'an earlier row',
): string =>
  `${member} is ${JSON.stringify(update[member])} here and ${JSON.stringify(value)} on ${place}, and all languages of an article share it. Give both the same value, or leave one of them out.`;

/** Numbers by texts, which are kept as hashes: a million texts take more memory than their file. */
export class HashedTexts {
  size = 0;
  /**
   * The hashes, and their numbers where there are others than 0; 0 means an empty slot. The tables are filled to at most 24
   * of 25, so that collisions are rare without more memory than small files take.
   */
  #hashes = new Float64Array(1_024);
  #numbers = new Float64Array(0);

  add(text: string): this {
    this.put(text, 0);
    return this;
  }

  /** Stores the number of a text that has none, and returns the number that the text has. */
  put(text: string, number: number): number {
    if (25 * this.size >= 24 * this.#hashes.length) this.#grow();
    return this.#put(1 + hashOf(text), number);
  }

  get(text: string): number | undefined {
    const one = 1 + hashOf(text);
    const at = this.#slotOf(one);
    return this.#hashes[at] === one ? (this.#numbers[at] ?? 0) : undefined;
  }

  /** The slot of a hash, or the empty one where it belongs. */
  #slotOf(one: number): number {
    let at = one % this.#hashes.length;
    while (this.#hashes[at] !== 0 && this.#hashes[at] !== one) at = (at + 1) % this.#hashes.length;
    return at;
  }

  #grow(): void {
    const [hashes, numbers] = [this.#hashes, this.#numbers];
    this.#hashes = new Float64Array(2 * hashes.length);
    this.#numbers = new Float64Array(0);
    this.size = 0;
    for (const [at, one] of hashes.entries()) if (one !== 0) this.#put(one, numbers[at] ?? 0);
  }

  #put(one: number, number: number): number {
    const at = this.#slotOf(one);
    if (this.#hashes[at] === one) return this.#numbers[at] ?? 0;
    this.#hashes[at] = one;
    if (number !== 0 && this.#numbers.length === 0) this.#numbers = new Float64Array(this.#hashes.length);
    if (number !== 0) this.#numbers[at] = number;
    this.size += 1;
    return number;
  }
}

/** A hash of 52 bits. It is no secret, and a collision is found by comparing the texts. */
function hashOf(text: string): number {
  let [high, low] = [0x9e3779b9, 0x85ebca6b];
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    high = Math.imul(high ^ unit, 0x9e3779b1);
    low = Math.imul(low ^ unit, 0x5f356495);
  }
  high = Math.imul(high ^ (high >>> 15), 0x735a2d97) ^ low;
  low = Math.imul(low ^ (low >>> 13), 0xcaf649a9) ^ high;
  return (high & 0xfffff) * 2 ** 32 + (low >>> 0);
}
