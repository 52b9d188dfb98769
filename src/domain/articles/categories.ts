/** Names a category in one language; absent, the default language of its project version. */
export interface CategoryKey {
  readonly categoryId: string;
  /** Spares the search through all project versions, since the service reads whole trees only. */
  readonly projectVersionId?: string | undefined;
  readonly languageCode?: string | undefined;
}

export interface Category {
  readonly categoryId: string;
  readonly projectVersionId: string;
  readonly languageCode: string;
  readonly name: string;
  readonly order: number | null;
  readonly parentCategoryId: string | null;
}
