import { sql } from 'kysely';
import type { ArticleFilter } from '../../../domain/articles/article-filters.ts';
import type { StoreDatabase } from '../tables/store-database.ts';
import type { selectListedArticles } from './articles.ts';

/** Selects the articles of a list that fulfil a filter. */
export const whereMatching = (
  { db, dialect }: StoreDatabase,
  list: ReturnType<typeof selectListedArticles>,
  { words, hidden, translationStatuses = [], modifiedSince }: ArticleFilter,
) =>
  list
    .$if(words !== undefined, (query) =>
      query.where((eb) =>
        eb(
          eb.refTuple('t.article_id', 't.language_code'),
          'in',
          db
            .selectFrom('article_words as w')
            .where(dialect.wordIndex.matches(words ?? []))
            .select(['w.article_id', 'w.language_code'])
            .$asTuple('article_id', 'language_code'),
        ),
      ),
    )
    // A parameter would not match the condition of the index.
    .$if(hidden !== undefined, (query) => query.where(sql<boolean>`t.hidden = ${sql.lit(Number(hidden))}`))
    .$if(translationStatuses.length === 1, (query) =>
      query.where('t.translation_status', '=', sql<(typeof translationStatuses)[0]>`${translationStatuses[0]}`),
    )
    .$if(translationStatuses.length > 1, (query) => query.where('t.translation_status', 'in', translationStatuses))
    .$if(modifiedSince !== undefined, (query) =>
      query.where('t.modified_at', '>=', modifiedSince?.toISOString() ?? ''),
    );
