import { UNKNOWN_TIMES } from './item-counts.ts';
import type { Ledger } from './ledger.ts';
import type { Mix } from './mix.ts';

/** Compares what clients were told with what is behind the gateway. Each difference is a sentence. */
export async function findDifferences(mix: Mix, ledger: Ledger): Promise<readonly string[]> {
  const differences: string[] = [];
  const titles = await ledger.titles();
  for (const [articleId, title] of mix.acknowledged) {
    const found = titles.get(articleId);
    if (found !== title) differences.push(`${articleId} was acknowledged as "${title}", and is "${found}".`);
  }
  for (const articleId of titles.keys())
    if (!mix.acknowledged.has(articleId)) differences.push(`${articleId} was updated, and nobody was told so.`);
  for (let item = 1; item < mix.timesSent.length; item += 1) {
    const [expected, times] = [mix.timesSent.at(item), ledger.timesSent(item)];
    if (times !== null && expected !== UNKNOWN_TIMES && times !== expected)
      differences.push(`Item ${item} was sent ${times} times in place of ${expected}.`);
  }
  return differences;
}
