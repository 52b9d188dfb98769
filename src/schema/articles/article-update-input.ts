import { builder } from '../builder.ts';

const TranslationStatus = builder.enumType('TranslationStatus', {
  description: "How far a translation is, as it can be set. The service's digits are in brackets.",
  values: {
    NONE: { description: 'Nothing to translate ("0").' },
    NEEDS_TRANSLATION: { description: 'The translation has to follow a changed text ("1").' },
    TRANSLATED: { description: 'The translation is up to date ("2").' },
  } as const,
});

const ArticleUpdateInput = builder.inputType('ArticleUpdateInput', {
  description:
    'Changes to one language version of an article. What is left out is not sent to the service; null is sent as null, and both change nothing in a stored article.',
  fields: (t) => ({
    articleId: t.id({ required: true, description: 'The article. Not empty.' }),
    languageCode: t.string({
      description: "The language. Left out: the default language of the article's project version. Not empty.",
    }),
    title: t.string({ description: 'A new title.' }),
    content: t.string({ description: 'A new text, for any editor.' }),
    htmlContent: t.string({
      description: 'A new text as HTML, for articles of the HTML editor; used only where `content` is left out.',
      deprecationReason: 'The service is going to remove it; use content.',
    }),
    categoryId: t.id({ description: 'Where the article moves to. Not empty.' }),
    hidden: t.boolean({ description: 'true hides the article, false shows it. Not null.' }),
    versionNumber: t.int({ description: 'Which version to change, from 1. Left out: the latest.' }),
    translationStatus: t.field({ type: TranslationStatus, description: 'How far the translation is.' }),
    source: t.string({ description: 'Free text that the service keeps for later reference.' }),
    order: t.int({ description: 'The position in the category, from 1. Not null.' }),
  }),
});

export const BulkUpdateArticlesInput = builder.inputType('BulkUpdateArticlesInput', {
  description: 'The articles to change.',
  fields: (t) => ({
    articles: t.field({
      type: [ArticleUpdateInput],
      required: true,
      description:
        'At least one, and at most as many as the gateway is set to (10,000 by default). They are taken in order; the same article may stand here twice.',
    }),
  }),
});
