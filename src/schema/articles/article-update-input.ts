import type { ArticleUpdateDraft } from '../../domain/articles/bulk-updates.ts';
import { builder } from '../builder.ts';

const TranslationStatus = builder.enumType('TranslationStatus', {
  description: "A translation status that an article can be given. The service's own digit is in brackets.",
  values: {
    NONE: { description: 'There is nothing to translate ("0").' },
    NEEDS_TRANSLATION: {
      description: 'The text in another language has changed, and the translation has to follow ("1").',
    },
    TRANSLATED: { description: 'The translation is up to date ("2").' },
  } as const,
});

export const ArticleUpdateInput = builder.inputType('ArticleUpdateInput', {
  description:
    'Changes to an article in one language. A member that is left out is not sent to the service, and null is sent as null; in the embedded store both keep what is stored.',
  fields: (t) =>
    ({
      articleId: t.id({
        required: true,
        description: "The service's own ID of the article, as in `Article.articleId`. Not empty.",
      }),
      languageCode: t.string({
        description:
          "The code of the language whose text is changed, such as `en` or `pt-br`. Left out: the default language of the article's project version. Not empty.",
      }),
      title: t.string({ description: 'The new title. An empty text is sent as it is.' }),
      content: t.string({
        description:
          'The new text, in the format of the editor of the article: Markdown, or HTML for the HTML editor. An empty text is sent as it is.',
      }),
      htmlContent: t.string({
        description: 'The new text as HTML, for articles of the HTML editor only. Used where `content` is left out.',
        deprecationReason: 'The service is going to remove it; use content.',
      }),
      categoryId: t.id({
        description:
          'The ID of the category that the article moves to, in the same project version, as in `Category.categoryId`. Left out: the article does not move. Not empty. All languages of the article share the category.',
      }),
      hidden: t.boolean({
        description: 'true hides the article from readers in all languages, false shows the article. Not null.',
      }),
      versionNumber: t.int({
        description: 'The number of the version to change, from 1. Left out: the latest version.',
      }),
      translationStatus: t.field({ type: TranslationStatus, description: 'The new translation status.' }),
      source: t.string({
        description: 'A text that the service keeps for later reference. No read returns this text.',
      }),
      order: t.int({
        description:
          'The new position of the article in its category, from 1. In the embedded store other articles keep their positions, and those with the same position are sorted by ID. Not null. All languages of the article share the position.',
      }),
    }) satisfies Record<keyof ArticleUpdateDraft, unknown>,
});

export const BulkUpdateArticlesInput = builder.inputType('BulkUpdateArticlesInput', {
  description: 'The articles to change in one bulk update.',
  fields: (t) => ({
    articles: t.field({
      type: [ArticleUpdateInput],
      required: true,
      description:
        'The changes, in the order in which they are made. From 1 to 10,000 items, unless the gateway is set to another maximum (`MAX_BULK_ITEMS`). The same article may be changed by several items.',
    }),
  }),
});
