import type { ArticleFilter } from '../../domain/articles/article-filters.ts';
import type { ArticleTranslationStatus } from '../../domain/articles/articles.ts';
import { parseSearchText } from '../../domain/articles/search-words.ts';
import { builder } from '../builder.ts';
import { invalidArgumentError } from '../errors/graphql-errors.ts';
import { ArticleTranslationStatusType } from './articles.ts';

export const ArticleFilterInput = builder.inputType('ArticleFilter', {
  description:
    'Selects articles of a list. An article has to fulfil all members; a member that is left out or null selects all articles. Over the service, the first page with a filter reads the list of all articles in the language, by one call for 1,000 articles and one for each 100 more.',
  fields: (t) => ({
    text: t.string({
      description:
        'Words to search for, from 1 to 10 in at most 200 characters: the articles that have each of them in the title or the text, as a word or, from 3 letters on, as the beginning of a word. A word is a run of letters and digits, and each Chinese or Japanese character is one; everything else separates words and has no meaning. Case and accents make no difference. The first 200,000 characters of a text are searched, its markup included. The service offers no such search: over it the error has the code NOT_OFFERED.',
    }),
    hidden: t.boolean({
      description: 'true: the articles that are hidden from readers. false: those that are not.',
    }),
    translationStatus: t.field({
      type: [ArticleTranslationStatusType],
      description:
        'The articles with one of these translation statuses, at least one. Articles that have no status are not found by any.',
    }),
    modifiedSince: t.field({
      type: 'DateTime',
      description:
        'The articles whose latest version was changed at this time or later. Articles whose time is not known, as after an import, are not found.',
    }),
  }),
});

export const ArticleOrderType = builder.enumType('ArticleOrder', {
  description: 'The order of a list of articles.',
  values: {
    ID: {
      description:
        'The order that the list has by itself: in the embedded store by ID, and for the articles of a category by `order` and then by ID; over the service, in the order of the service, which is not documented.',
    },
    TITLE: {
      description:
        'By the first 100 characters of the title in lower case, compared by their code points, and then by ID. Articles without a title come first.',
    },
    MODIFIED_AT_DESC: {
      description:
        'The article whose latest version was changed last comes first; those of the same time by ID, in descending order. Articles whose time is not known, as after an import, come last.',
    },
  } as const,
});

interface FilterArgument {
  readonly text?: string | null | undefined;
  readonly hidden?: boolean | null | undefined;
  readonly translationStatus?: readonly ArticleTranslationStatus[] | null | undefined;
  readonly modifiedSince?: Date | null | undefined;
}

/** Throws when a member is invalid. */
export function toArticleFilter({ text, hidden, translationStatus, modifiedSince }: FilterArgument): ArticleFilter {
  if (translationStatus?.length === 0) {
    const message = 'translationStatus must name at least one status; leave it out to find articles with any.';
    throw invalidArgumentError(['filter', 'translationStatus'], message);
  }
  const words = text == null ? null : parseSearchText(text);
  if (typeof words === 'string') throw invalidArgumentError(['filter', 'text'], `text ${words}.`);
  return {
    ...(words && { words }),
    ...(hidden != null && { hidden }),
    ...(translationStatus && { translationStatuses: [...new Set(translationStatus)] }),
    ...(modifiedSince && { modifiedSince }),
  };
}
