import type { Random } from '../mutants.ts';

/* Choices that a seed decides. */

export const below = (random: Random, limit: number): number => Math.floor(random() * limit);

export const chance = (random: Random, probability: number): boolean => random() < probability;

/** One of them; there must be one. */
export function pick<T>(random: Random, items: readonly T[]): T {
  const item = items[below(random, items.length)];
  if (item === undefined) throw new Error('There is nothing to choose from.');
  return item;
}

/** From 1 to `most`, all orders of magnitude alike. */
export const magnitude = (random: Random, most: number): number => Math.round(Math.exp(random() * Math.log(most)));

/** The list with one item replaced. */
export const replaced = <T>(items: readonly T[], index: number, item: T): readonly T[] =>
  items.map((old, at) => (at === index ? item : old));
