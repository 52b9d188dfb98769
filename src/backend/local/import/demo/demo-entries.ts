import type { ImportedArticle, ImportedVersion } from '../../../../knowledge-base/knowledge-base.ts';

type Text = Pick<ImportedVersion, 'title' | 'content'>;

/** The first version of an article in its default language, and its translations. */
export const demoTexts = (
  english: Text,
  translations: Readonly<Record<string, Text>> = {},
): readonly ImportedVersion[] => [
  { languageCode: 'en', versionNumber: 1, translationStatus: 'NONE', ...english },
  ...Object.entries(translations).map(
    ([languageCode, text]): ImportedVersion => ({
      languageCode,
      versionNumber: 1,
      translationStatus: 'TRANSLATED',
      ...text,
    }),
  ),
];

/** Most articles of the demo belong to its newer project version. Every slug is the ID. */
export const demoArticle = (
  entry: Pick<ImportedArticle, 'articleId' | 'categoryId' | 'order' | 'versions'> & Partial<ImportedArticle>,
): ImportedArticle => ({
  projectVersionId: 'fernlight-2',
  slug: entry.articleId,
  hidden: false,
  contentType: 'MARKDOWN',
  ...entry,
});

export const demoCategory = (
  categoryId: string,
  name: string,
  position: { readonly order: number; readonly parent?: string },
) => ({
  categoryId,
  projectVersionId: 'fernlight-2',
  parentCategoryId: position.parent ?? null,
  name,
  order: position.order,
});

export const demoReader = (firstName: string, lastName: string) => ({
  readerId: `reader-${firstName.toLowerCase()}`,
  firstName,
  lastName,
  email: `${firstName.toLowerCase()}@example.com`,
});

export const demoLanguage = (projectVersionId: string, code: string, name: string) => ({
  projectVersionId,
  code,
  name,
  isDefault: code === 'en',
});
