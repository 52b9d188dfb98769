import { countEach, nameOf } from '../../core/articles/article-creations.ts';
import {
  type CategoryCreation,
  type CategoryCreationOutcome,
  titledOf,
} from '../../core/articles/category-creations.ts';
import type { Writes } from '../../core/backend.ts';
import { WRITES } from '../../core/writes/declarations.ts';
import { listOfCreated } from '../v2/article-creations.ts';
import { encodeCategoryCreation } from '../v2/category-creations.ts';
import { readCreations } from './article-creations.ts';
import type { ArticleWritesOptions } from './bulk-updates.ts';
import { sendChunks } from './send-chunks.ts';
import { runLoggedWrite, sendWrite } from './write-response.ts';

/** Creates the categories of a request by one call, or by one call for each `bulkSize`, and never sends one again. */
export const createCategoryCreations =
  ({ bulkSize, ...options }: ArticleWritesOptions): Writes['createCategories'] =>
  (caller, items) =>
    runLoggedWrite('createCategories', { ...options, caller }, (writer) => {
      const { staleReads } = WRITES.createCategories;
      const call = { kind: 'write', method: 'POST', staleReads } as const;
      const names = countEach(items.map((item) => nameOf(titledOf(item))));
      return sendChunks<CategoryCreation, CategoryCreationOutcome>({
        chunks: Array.from({ length: Math.ceil(items.length / bulkSize) }, (_, n) =>
          items.slice(n * bulkSize, (n + 1) * bulkSize),
        ),
        send: async (chunk) => {
          const [only, ...others] = chunk.map(encodeCategoryCreation);
          if (others.length > 0)
            return sendWrite(writer, { ...call, path: ['Categories', 'bulkcreate'], body: [only, ...others] });
          const response = await sendWrite(writer, { ...call, path: ['Categories'], body: only });
          if (response.kind !== 'accepted') return response;
          return { ...response, envelope: listOfCreated(response.envelope, 'category') };
        },
        read: async (response, chunk) =>
          readCreations<CategoryCreationOutcome>(response, {
            noun: 'category',
            items: chunk.map(titledOf),
            names,
            unknown: (details) => ({ kind: 'unknown', details }),
            created: ({ id, ...outcome }) => ({ ...outcome, categoryId: id }),
          }),
        skip: (chunk, outcome) => chunk.map(() => outcome),
      });
    });
