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
  /** The place and the value of the earlier row. */
  readonly place: string;
  readonly value: unknown;
}

/** Finds rows of one article that disagree in what all of its languages share. */
export class SharedValues {
  /** The rows that set a member first, by the member and the article. */
  readonly #first = new Map<string, SharedConflict>();

  /** Adds a row, and returns its conflicts with earlier ones. */
  add(place: string, update: SharedMembers): readonly SharedConflict[] {
    return MEMBERS.flatMap((member): readonly SharedConflict[] => {
      const value = update[member];
      if (value == null) return [];
      const key = `${member} ${keyOf(update.articleId)}`;
      const first = this.#first.get(key);
      if (first === undefined) this.#first.set(key, { member, place, value });
      return first === undefined || keyOf(first.value) === keyOf(value) ? [] : [first];
    });
  }
}

/** Equal for equal values, and for IDs in another case. */
const keyOf = (value: unknown): string => String(value).toLowerCase();

/** Says what two rows set. */
export const conflictMessage = ({ member, value, place }: SharedConflict, update: SharedMembers): string =>
  `${member} is ${JSON.stringify(update[member])} here and ${JSON.stringify(value)} on ${place}, and all languages of an article share it. Give both the same value, or leave one of them out.`;
