import type {
  ArticleFieldsFragment,
  ArticlePageQuery,
  ArticleTextFragment,
  ArticleUpdateInput,
  ChangedField,
  TranslationStatus,
} from '../generated/graphql.ts';

/** The wanted changes of an article. Members that stay are left out. */
export interface ArticleChange {
  readonly title?: string;
  readonly categoryId?: string;
  readonly hidden?: boolean;
  readonly order?: number;
  readonly translationStatus?: TranslationStatus;
  /** The new text, in the format of the article's editor; undefined where it stays. */
  readonly content?: string | undefined;
  /** The revision that a file names in place of the one that the preview shows. */
  readonly ifRevision?: string;
}

/** A member that has a column. */
export type Member = Exclude<keyof ArticleChange, 'content' | 'ifRevision'>;

/** The members in the order of the columns. The record is total. */
export const MEMBER_NAMES: Readonly<Record<Member, string>> = {
  title: 'Title',
  categoryId: 'Category',
  hidden: 'Hidden',
  order: 'Order',
  translationStatus: 'Translation',
};

export const isMember = (name: string): name is Member => Object.hasOwn(MEMBER_NAMES, name);

/** The name of a member of a preview as cells have it. */
export const memberOf = (field: ChangedField): string =>
  field.toLowerCase().replace(/_(.)/gu, (_, letter: string) => letter.toUpperCase());

/** An article as its page has read it. A change of it is written only where it still has its revision. */
export type StoredArticle = NonNullable<ArticlePageQuery['article']>;

/** An unsent change, with the article as it was read. */
export interface Edit {
  readonly article: ArticleFieldsFragment | StoredArticle;
  readonly change: ArticleChange;
  /** What made it, such as "Replace “a” by “b”"; it becomes a part of the job's name. */
  readonly reason?: string;
  /** What was requested instead of a change. */
  readonly aim?: 'publish' | 'unpublish' | 'undo';
}

/** Edits by `keyOf` their articles. */
export type Edits = ReadonlyMap<string, Edit>;

/** The key of an article in one language. */
export const keyOf = ({ articleId, languageCode }: Pick<ArticleFieldsFragment, 'articleId' | 'languageCode'>): string =>
  `${languageCode} ${articleId}`;

export function storedValueOf({ category, ...article }: ArticleFieldsFragment, member: Member): unknown {
  return member === 'categoryId' ? (category?.categoryId ?? null) : article[member];
}

/** The stored text, in the format of `ArticleUpdateInput.content`. */
export const storedTextOf = ({ contentType, content, htmlContent }: ArticleTextFragment): string =>
  (contentType === 'WYSIWYG' ? htmlContent : content) ?? '';

/** A wanted change with its article. */
export type Changed = readonly [article: Edit['article'], change: ArticleChange];

/** True where the change goes to a version, so that it matters whether that is published. */
export const changesVersion = ({ title, content, translationStatus }: ArticleChange): boolean =>
  title !== undefined || content !== undefined || translationStatus !== undefined;

/** Adds changes. A value that is stored already is no change. Lists have no texts, so whoever changes a text compares it. */
export function withChanges(edits: Edits, changes: readonly Changed[], newReason?: string): Edits {
  const next = new Map(edits);
  for (const [article, change] of changes) {
    const key = keyOf(article);
    const known = next.get(key);
    const reason = newReason ?? known?.reason;
    // The first one with a revision is what the change is based on.
    const base = known && ('revision' in known.article || !('revision' in article)) ? known.article : article;
    const members = Object.entries({ ...known?.change, ...change }).filter(([name, value]) =>
      isMember(name) ? storedValueOf(base, name) !== value : value !== undefined,
    );
    if (members.every(([name]) => name === 'ifRevision')) next.delete(key);
    else next.set(key, { article: base, change: Object.fromEntries(members), ...(reason && { reason }) });
  }
  return next;
}

/** The most characters of the texts of one request. A single text may have more. */
const MAX_PART_CHARS = 1_000_000;

/** The next edits of one request. */
export function partFrom(edits: readonly Edit[], from: number, mostItems: number): readonly Edit[] {
  let chars = edits[from]?.change.content?.length ?? 0;
  let end = from + 1;
  while (end < Math.min(edits.length, from + mostItems)) {
    chars += edits[end]?.change.content?.length ?? 0;
    if (chars > MAX_PART_CHARS) break;
    end++;
  }
  return edits.slice(from, end);
}

/** The input of an edit. With a revision it is written only where the article still has that one. */
export const inputOf = ({ article, change }: Edit, revision: string | null = null): ArticleUpdateInput => {
  const { articleId, languageCode } = article;
  const ifRevision = ('revision' in article ? article.revision : null) ?? revision;
  return ifRevision === null
    ? { articleId, languageCode, ...change }
    : { articleId, languageCode, ifRevision, ...change };
};
