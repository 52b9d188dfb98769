import type { ImportedArticle, ImportedVersion } from '../../../../knowledge-base/knowledge-base.ts';

type Text = Pick<ImportedVersion, 'title' | 'content'>;

/** The first version of an article in its default language, and its translations. */
export const texts = (english: Text, translations: Readonly<Record<string, Text>> = {}): readonly ImportedVersion[] => [
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

/** Most articles of the demo are in its newer manual, and all of them are addressed by their ID. */
export const article = (
  entry: Pick<ImportedArticle, 'articleId' | 'categoryId' | 'order' | 'versions'> & Partial<ImportedArticle>,
): ImportedArticle => ({
  projectVersionId: 'fernlight-2',
  slug: entry.articleId,
  hidden: false,
  contentType: 'MARKDOWN',
  ...entry,
});

export const category = (
  categoryId: string,
  name: string,
  place: { readonly order: number; readonly parent?: string },
) => ({
  categoryId,
  projectVersionId: 'fernlight-2',
  parentCategoryId: place.parent ?? null,
  name,
  order: place.order,
});

export const reader = (firstName: string, lastName: string) => ({
  readerId: `reader-${firstName.toLowerCase()}`,
  firstName,
  lastName,
  email: `${firstName.toLowerCase()}@example.com`,
});

export const language = (projectVersionId: string, code: string, name: string) => ({
  projectVersionId,
  code,
  name,
  isDefault: code === 'en',
});
