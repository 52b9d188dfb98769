import type { Random } from '../mutants.ts';

/* Random choices that are determined by a seed. */

export const randomIndex = (random: Random, limit: number): number => Math.floor(random() * limit);

export const chance = (random: Random, probability: number): boolean => random() < probability;

/** One of the items, of which there must be at least one. */
export function pick<T>(random: Random, items: readonly T[]): T {
  const item = items[randomIndex(random, items.length)];
  if (item === undefined) throw new Error('There is nothing to choose from.');
  return item;
}

/** From 1 to `most`, evenly over the orders of magnitude. */
export const magnitude = (random: Random, most: number): number => Math.round(Math.exp(random() * Math.log(most)));

/** A copy of the list with one item replaced. */
export const replaced = <T>(items: readonly T[], index: number, item: T): readonly T[] =>
  items.map((old, at) => (at === index ? item : old));
