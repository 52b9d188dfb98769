import type { ArticleUpdate } from '../../src/core/articles/bulk-updates.ts';
import { SeededRandom } from '../../test/simulation/world/random.ts';
import { list } from '../../test/support/repeat.ts';

const CONTENT_LENGTH = 10_000;
const VOCABULARY = 5_000;

/** Words as texts have them: a few are frequent, most are rare. */
function createWords(random: SeededRandom): () => string {
  const words = list(VOCABULARY, () =>
    list(random.between(2, 10), () => String.fromCodePoint(random.between(97, 122))).join(''),
  );
  return () => words[Math.floor(VOCABULARY * random.next() ** 3)] ?? '';
}

/** Updates of the first articles, each with a new title and 10,000 characters of text, an arrow among them. */
export function largeUpdates(count: number, articleIdOf: (index: number) => string): readonly ArticleUpdate[] {
  const nextWord = createWords(new SeededRandom(count));
  return list(count, (index) => {
    let content = 'Settings → Agents:';
    while (content.length < CONTENT_LENGTH) content += ` ${nextWord()}`;
    return {
      articleId: articleIdOf(index),
      title: `Revised, part ${index}`,
      content: content.slice(0, CONTENT_LENGTH),
    };
  });
}
