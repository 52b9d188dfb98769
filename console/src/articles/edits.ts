import type { ArticleFieldsFragment, ArticleUpdateInput, TranslationStatus } from '../generated/graphql.ts';

/** What somebody wants of an article; members that stay are left out. */
export interface ArticleChange {
  readonly title?: string;
  readonly categoryId?: string;
  readonly hidden?: boolean;
  readonly order?: number;
  readonly translationStatus?: TranslationStatus;
}

export type Member = keyof ArticleChange;

/** The members in the order of the columns. The record is total. */
export const MEMBER_NAMES: Readonly<Record<Member, string>> = {
  title: 'Title',
  categoryId: 'Category',
  hidden: 'Hidden',
  order: 'Order',
  translationStatus: 'Translation',
};

export const isMember = (name: string): name is Member => Object.hasOwn(MEMBER_NAMES, name);

/** A change that is not sent yet, with the article as it was when it was read. */
export interface Edit {
  readonly article: ArticleFieldsFragment;
  readonly change: ArticleChange;
}

/** Edits by the keys of their articles. */
export type Edits = ReadonlyMap<string, Edit>;

/** An article in one language. */
export const keyOf = ({ articleId, languageCode }: Pick<ArticleFieldsFragment, 'articleId' | 'languageCode'>): string =>
  `${languageCode} ${articleId}`;

export function storedValueOf({ category, ...article }: ArticleFieldsFragment, member: Member): unknown {
  return member === 'categoryId' ? (category?.categoryId ?? null) : article[member];
}

/** A value that is stored already is no change. */
export function withChange(edits: Edits, article: ArticleFieldsFragment, change: ArticleChange): Edits {
  const key = keyOf(article);
  const known = edits.get(key);
  const merged = { ...known?.change, ...change };
  const base = known?.article ?? article;
  const members = Object.entries(merged).filter(
    ([name, value]) => isMember(name) && storedValueOf(base, name) !== value,
  );
  const next = new Map(edits);
  if (members.length === 0) next.delete(key);
  else next.set(key, { article: base, change: Object.fromEntries(members) });
  return next;
}

export const inputOf = ({ article: { articleId, languageCode }, change }: Edit): ArticleUpdateInput => ({
  articleId,
  languageCode,
  ...change,
});
