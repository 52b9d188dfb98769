/** Which category, named in which language. Absent: the default language of its project version. */
export interface CategoryKey {
  readonly categoryId: string;
  /** Where a service can only be asked for a whole tree, this says which. */
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
