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
  const compareTimes = (all: readonly string[], expected: number) => {
    for (const title of all) {
      const times = ledger.timesSent(title);
      if (times !== null && times !== expected) differences.push(`"${title}" was sent ${times} times.`);
    }
  };
  compareTimes(mix.sent, 1);
  compareTimes(mix.unsent, 0);
  return differences;
}
