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

export const MEMBERS: readonly Member[] = Object.keys(MEMBER_NAMES).filter(isMember);

/** The name of a member of a preview as cells have it. */
export const memberOf = (field: ChangedField): string =>
  field.toLowerCase().replace(/_(.)/gu, (_, letter: string) => letter.toUpperCase());

/** An article as its page has read it. A change of it is written only where it still has its revision. */
export type StoredArticle = NonNullable<ArticlePageQuery['article']>;

/** Values of an article as a person saw them; absent where none was seen. */
export type Seen = { readonly [Name in Member | 'content']?: unknown };

/** An unsent change, with the article as it was read. */
export interface Edit {
  readonly article: ArticleFieldsFragment | StoredArticle;
  readonly change: ArticleChange;
  /** What the person saw of the changed members, or has written there since. */
  readonly seen?: Seen;
  /** What made it, such as "Replace “a” by “b”"; it becomes a part of the job's name. */
  readonly reason?: string;
  /** What was requested instead of a change. */
  readonly aim?: 'publish' | 'unpublish' | 'undo';
}

/** Articles that are to be published or unpublished after a preview. */
export interface PublicationRequest {
  readonly kind: 'publish' | 'unpublish';
  readonly articles: readonly ArticleFieldsFragment[];
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

/** A wanted change with its article, and the text that was seen where the article has none. Undefined members are changed no more. */
export type Changed = readonly [article: Edit['article'], change: Changes, text?: string];

type Changes = { readonly [Name in keyof ArticleChange]: ArticleChange[Name] | undefined };

/** True where the change goes to a version, so that it matters whether that is published. */
export const changesVersion = ({ title, content, translationStatus }: ArticleChange): boolean =>
  title !== undefined || content !== undefined || translationStatus !== undefined;

/** What is seen of some members. */
function seenIn(article: Edit['article'], names: readonly string[], text?: string): Seen {
  const content = text ?? ('content' in article ? storedTextOf(article) : undefined);
  return Object.fromEntries(names.map((name) => [name, isMember(name) ? storedValueOf(article, name) : content]));
}

/**
 * An edit that remains after an own write of its article, which is no colleague's: what is seen now is what that has written, and
 * the revision that a page has read counts no more.
 */
export function afterOwnWrite(edit: Edit, seen: Seen): Edit {
  const { revision: _revision, ...article } = { revision: null, ...edit.article };
  return { ...edit, article, seen };
}

/** Adds changes. A value that is stored already is no change. Lists have no texts, so whoever changes a text compares it. */
export function withChanges(edits: Edits, changes: readonly Changed[], newReason?: string): Edits {
  const next = new Map(edits);
  for (const [article, change, text] of changes) {
    const key = keyOf(article);
    const known = next.get(key);
    const reason = newReason ?? known?.reason;
    // The first one with a revision is what the change is based on.
    const base = known && ('revision' in known.article || !('revision' in article)) ? known.article : article;
    const seenText = known?.change.content === undefined ? text : undefined;
    const names = Object.keys(change).filter((name) => !(known && name in known.change && name in (known.seen ?? {})));
    const seen: Seen = { ...known?.seen, ...seenIn(article, names, seenText) };
    const members = Object.entries({ ...known?.change, ...change }).filter(
      ([name, value]) => value !== undefined && !(isMember(name) && seen[name] === value),
    );
    if (members.every(([name]) => name === 'ifRevision')) next.delete(key);
    else next.set(key, { article: base, change: Object.fromEntries(members), seen, ...(reason && { reason }) });
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
