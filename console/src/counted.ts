/** A number with its noun: "1 article", "2 categories". */
export const counted = (count: number, noun: string): string =>
  `${count} ${count === 1 ? noun : `${noun.replace(/y$/u, 'ie')}s`}`;
