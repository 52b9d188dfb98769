/** A list of the given length, each item made from its index. */
export const list = <T>(length: number, make: (index: number) => T): T[] =>
  Array.from({ length }, (_, index) => make(index));

/** A text of parts made from their index, with a separator between them. */
export const times = (count: number, part: (index: number) => string, separator = ' '): string =>
  list(count, part).join(separator);
