import type { KnowledgeBase } from '../../src/store/knowledge-base/format.ts';
import { knowledgeBase } from '../store/articles.ts';

/** As many as one bulk update may have items. */
const ARTICLES = 10_000;
export const GROUPS = 20;
export const READERS_OF_GROUP = 10;
export const CATEGORIES_OF_GROUP = 3;

const READERS = 100;

/** The articles of `npm run bench:store`, with reader groups. */
export function storeContent(): KnowledgeBase {
  const base = knowledgeBase({ from: 0, to: ARTICLES, articles: ARTICLES });
  return {
    ...base,
    readers: Array.from({ length: READERS }, (_, n) => ({
      reader_id: `reader-${n}`,
      first_name: `First ${n}`,
      last_name: `Last ${n}`,
      email: `reader-${n}@example.com`,
    })),
    reader_groups: Array.from({ length: GROUPS }, (_, group) => ({
      groupId: `group-${group}`,
      title: `Group ${group}`,
      description: null,
      readerIds: Array.from({ length: READERS_OF_GROUP }, (_reader, n) => `reader-${(group + n * 7) % READERS}`),
      invitedSsoUserIds: [],
      accessScope: {
        level: 'CATEGORY',
        categories: base.categories
          .slice(group, group + CATEGORIES_OF_GROUP)
          .map(({ id: categoryId, project_version_id: projectVersionId }) => ({
            categoryId,
            projectVersionId,
            languageCode: 'en',
          })),
      },
    })),
  };
}

/** The articles that a connection reads and updates. Connections have none in common, up to a hundred of them with 100 each. */
export const articleIdsOf = (connection: number, count: number): readonly string[] =>
  Array.from({ length: count }, (_, n) => `article-${(connection * count + n) % ARTICLES}`);

/** Two new texts for an article, which a connection writes in turn, so that every update changes something. */
export const textsOf = (articleId: string, turn: number) => ({
  title: `Renew the certificate of a field agent, ${articleId}, draft ${turn}`,
  content: `Open **Settings → Agents**, choose the agent, and select *Renew* (${turn}). The old certificate stays valid for a day, so that no report is lost meanwhile.`,
});
