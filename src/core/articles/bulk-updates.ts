import { revisionProblem } from '../base/digest.ts';
import { isSameValue } from '../base/members.ts';
import { idProblem, isSameId, storedFormOf, textProblem } from '../base/text.ts';
import type { Validation } from '../errors.ts';
import type { Article, ArticleContentType, ArticleKey, ArticleTranslationStatus } from './articles.ts';

/** Changes to an article in one language. An absent member is not sent to the service; null is sent as null. */
export interface ArticleUpdate {
  /** The ID of the article. It is empty when a REST caller sent none: no article has the empty ID, so the item fails. */
  readonly articleId: string;
  readonly languageCode?: string | null | undefined;
  readonly title?: string | null | undefined;
  readonly content?: string | null | undefined;
  readonly htmlContent?: string | null | undefined;
  readonly categoryId?: string | null | undefined;
  readonly hidden?: boolean | undefined;
  readonly versionNumber?: number | null | undefined;
  /** Written only while the text has this revision (`revisionOf`). */
  readonly ifRevision?: string | undefined;
  readonly translationStatus?: ArticleTranslationStatus | null | undefined;
  readonly source?: string | null | undefined;
  readonly order?: number | undefined;
}

/** The article without a text in one of the languages of its project version, as an update that makes it finds it. */
export const untranslated = (article: Article, languageCode: string): Article =>
  ({
    ...article,
    languageCode,
    versionNumber: 1,
    pinned: false,
    latestVersionNumber: null,
    title: null,
    content: null,
    htmlContent: null,
    translationStatus: null,
    modifiedAt: null,
    status: 'DRAFT',
    publicVersionNumber: null,
    isUntranslated: true,
  }) satisfies Article & Record<Exclude<ReadProperty, SharedName>, unknown>;

/** True for an update that makes the text in a language that it names, where the article has none: it sets a part of it, and expects none. */
export const makesTranslation = (
  { languageCode, versionNumber, ifRevision, title, content, htmlContent }: ArticleUpdate,
  contentType: ArticleContentType | null,
): boolean =>
  languageCode != null &&
  versionNumber == null &&
  ifRevision === undefined &&
  (title != null || content != null || (htmlContent != null && (contentType ?? 'WYSIWYG') === 'WYSIWYG'));

/** An update as the caller sent it, before validation. */
export type ArticleUpdateDraft = Omit<ArticleUpdate, 'hidden' | 'order' | 'ifRevision'> & {
  readonly hidden?: boolean | null | undefined;
  readonly order?: number | null | undefined;
  readonly ifRevision?: string | null | undefined;
};

/** The members of an update that identify the text, and its state. */
export type UpdateTarget = Pick<ArticleUpdate, 'articleId' | 'languageCode' | 'versionNumber' | 'ifRevision'>;

/** A target as the caller sent it, before validation. */
export type UpdateTargetDraft = Pick<ArticleUpdateDraft, keyof UpdateTarget>;

/** A property of an article that an update can set. */
export type ArticleProperty = Exclude<keyof ArticleUpdate, keyof UpdateTarget>;

/**
 * A property that some read reports, which is all but the source. Jobs keep it before a write, reverts put it back, and
 * read-backs compare it.
 */
export type ReadProperty = Exclude<ArticleProperty, 'source'>;

/** Positions and versions start at 1: see docs/service.md, "Bulk article update". */
const numberProblem = (value: number): string | null => (value < 1 ? 'must be 1 or more' : null);

/** The definition of a member of an update, except for its names and forms elsewhere. */
interface ArticleMember {
  /** The rule of the value, over GraphQL and over REST: its problem as the end of a sentence. */
  readonly problemOf: (draft: Partial<ArticleUpdateDraft>) => string | null;
  /** True where all languages and versions of an article have one value. */
  readonly isShared: boolean;
  /** The cheapest read that reports the value, or that finds what the member names. */
  readonly reportedBy: 'any' | 'list' | 'article' | 'nothing';
  /** Compares the value with an article. Null for a member that identifies the text, which is not compared. */
  readonly compare: ((article: ComparedArticle, update: ArticleUpdateDraft) => ComparedMember) | null;
  /** The kind of a value that is an ID, or a text that the service may store in another form; absent for others. */
  readonly holds?: 'text' | 'id';
}

type ReadValues = Pick<Article, ReadProperty>;

/** The properties of an article that are compared; undefined where a read did not report them. */
export type ComparedArticle = Pick<Article, 'contentType'> & {
  readonly [Name in ReadProperty]?: ReadValues[Name] | undefined;
};

export interface ComparedMember {
  /** The name in a preview; null where another member shows the change. */
  readonly field: ArticleProperty | null;
  /** The value that was read; undefined where the read did not report it. */
  readonly seen: unknown;
  /** The value of the update; undefined where it is not compared. */
  readonly asked: unknown;
}

/** The rule of a value that may be left out, and be null. */
const ruleFor = <Name extends keyof ArticleUpdateDraft>(
  name: Name,
  problemOf: (value: NonNullable<ArticleUpdateDraft[Name]>) => string | null,
) => ({ problemOf: ({ [name]: value }: Partial<ArticleUpdateDraft>) => (value == null ? null : problemOf(value)) });

const NAMES_TEXT = { isShared: false, reportedBy: 'any', compare: null } as const;

/** A member that an article has by the same name, also in lists. */
const listed = (name: 'title' | 'categoryId' | 'hidden' | 'translationStatus' | 'order') =>
  ({
    isShared: false,
    reportedBy: 'list',
    compare: (article: ComparedArticle, update: ArticleUpdateDraft) => ({
      field: name,
      seen: article[name],
      asked: update[name],
    }),
  }) as const;

const isHtml = ({ contentType }: Pick<Article, 'contentType'>): boolean => contentType === 'WYSIWYG';

/** The members of an update, in the order of issues and of previews. */
export const ARTICLE_MEMBERS = {
  articleId: { ...NAMES_TEXT, problemOf: ({ articleId = '' }) => idProblem(articleId) },
  languageCode: { ...NAMES_TEXT, ...ruleFor('languageCode', idProblem) },
  title: { ...listed('title'), ...ruleFor('title', textProblem), holds: 'text' },
  content: {
    holds: 'text',
    ...ruleFor('content', textProblem),
    isShared: false,
    reportedBy: 'article',
    compare: (article, { content, htmlContent }) => ({
      field: isHtml(article) ? 'htmlContent' : 'content',
      seen: isHtml(article) ? article.htmlContent : article.content,
      asked: content ?? (isHtml(article) ? htmlContent : undefined) ?? content,
    }),
  },
  htmlContent: {
    holds: 'text',
    ...ruleFor('htmlContent', textProblem),
    isShared: false,
    reportedBy: 'article',
    // Only the WYSIWYG editor stores HTML. Where an update sets both texts, `content` takes precedence, and shows the
    // change.
    compare: (article, { content, htmlContent }) => ({
      field: null,
      seen: isHtml(article) ? article.htmlContent : undefined,
      asked: content == null ? htmlContent : undefined,
    }),
  },
  categoryId: { ...listed('categoryId'), ...ruleFor('categoryId', idProblem), isShared: true, holds: 'id' },
  hidden: {
    ...listed('hidden'),
    isShared: true,
    problemOf: ({ hidden }) => (hidden === null ? 'must be true or false, not null; leave it out to keep it' : null),
  },
  // The values of a status are checked when they are parsed.
  translationStatus: { ...listed('translationStatus'), problemOf: () => null },
  order: {
    ...listed('order'),
    isShared: true,
    problemOf: ({ order = 1 }) =>
      order === null ? 'must be a number, not null; leave it out to keep it' : numberProblem(order),
  },
  // Lists have only the latest version.
  versionNumber: { ...NAMES_TEXT, ...ruleFor('versionNumber', numberProblem), reportedBy: 'article' },
  // The step that compares revisions reads what it needs by itself.
  ifRevision: { ...NAMES_TEXT, problemOf: ({ ifRevision }) => revisionProblem(ifRevision) },
  source: {
    ...ruleFor('source', textProblem),
    isShared: false,
    // No read returns the stored source.
    reportedBy: 'nothing',
    compare: (_article, { source }) => ({ field: 'source', seen: undefined, asked: source }),
  },
} as const satisfies Record<keyof ArticleUpdate, ArticleMember>;

const isArticleMember = (name: string): name is keyof typeof ARTICLE_MEMBERS => Object.hasOwn(ARTICLE_MEMBERS, name);

export const MEMBERS: readonly (readonly [keyof ArticleUpdate, ArticleMember])[] = Object.entries(
  ARTICLE_MEMBERS,
).flatMap(([name, member]) => (isArticleMember(name) ? [[name, member] as const] : []));

/** A member that all languages and versions of an article share. */
export type SharedName = {
  [Name in keyof typeof ARTICLE_MEMBERS]: (typeof ARTICLE_MEMBERS)[Name]['isShared'] extends true ? Name : never;
}[keyof typeof ARTICLE_MEMBERS];

const isSharedName = (name: keyof ArticleUpdate): name is SharedName => ARTICLE_MEMBERS[name].isShared;

export const SHARED_MEMBERS: readonly SharedName[] = MEMBERS.flatMap(([name]) => (isSharedName(name) ? [name] : []));

type MembersReportedBy<Read extends ArticleMember['reportedBy']> = {
  [Name in keyof typeof ARTICLE_MEMBERS]: (typeof ARTICLE_MEMBERS)[Name]['reportedBy'] extends Read ? Name : never;
}[keyof typeof ARTICLE_MEMBERS];

const isReadProperty = (name: keyof ArticleUpdate): name is ReadProperty =>
  ARTICLE_MEMBERS[name].compare !== null && ARTICLE_MEMBERS[name].reportedBy !== 'nothing';

export const READ_PROPERTIES: readonly ReadProperty[] = MEMBERS.map(([name]) => name).filter(isReadProperty);

const VERSION_PROPERTIES = READ_PROPERTIES.filter((name) => !ARTICLE_MEMBERS[name].isShared);

/** True for an update of what a version has of its own, which readers see where the version is published. */
export const changesVersion = (update: ArticleUpdate): boolean =>
  VERSION_PROPERTIES.some((name) => update[name] !== undefined);

/** A property that an update can set and an entry of a list may report. */
export type ListedProperty = MembersReportedBy<'list'>;

/** True for a property that an entry of a list may report. */
export const isListed = (name: string): name is ListedProperty =>
  isArticleMember(name) && ARTICLE_MEMBERS[name].reportedBy === 'list';

/** True where the update names or sets something that only a read of the article reports: a text or a version. */
export const needsArticle = (update: ArticleUpdate): boolean =>
  MEMBERS.some(([name, { reportedBy }]) => reportedBy === 'article' && update[name] != null);

/** True where some read reports everything that the update sets. */
export const isReadable = (update: ArticleUpdate): boolean =>
  MEMBERS.every(([name, { reportedBy }]) => reportedBy !== 'nothing' || update[name] === undefined);

/** Compares everything that the update sets with an article: an entry for each member that can be compared. */
export const compareMembers = (article: ComparedArticle, update: ArticleUpdateDraft): readonly ComparedMember[] =>
  MEMBERS.flatMap(([, { compare }]) => compare?.(article, update) ?? []);

/** True where two read values of a member are the same. */
export const isSameMember = (name: ArticleProperty, one: unknown, other: unknown): boolean =>
  holds(name, 'id') && typeof one === 'string' && typeof other === 'string'
    ? isSameId(one, other)
    : isSameValue(one, other);

/** True where the read value of a member may be the stored form of the one that was sent. */
export const isStoredAs = (name: ArticleProperty, seen: unknown, asked: unknown): boolean =>
  holds(name, 'text') && typeof seen === 'string' && typeof asked === 'string'
    ? storedFormOf(seen) === storedFormOf(asked)
    : isSameMember(name, seen, asked);

function holds(name: ArticleProperty, what: ArticleMember['holds']): boolean {
  const member: ArticleMember = ARTICLE_MEMBERS[name];
  return member.holds === what;
}

/** A property that no list reports, but a read of one article does, such as its texts. */
export type UnlistedProperty = Exclude<MembersReportedBy<'article'>, keyof UpdateTarget>;

const UNLISTED_PROPERTIES = READ_PROPERTIES.filter((name) => ARTICLE_MEMBERS[name].reportedBy === 'article');

const NOTHING_UNLISTED = Object.fromEntries(UNLISTED_PROPERTIES.map((name) => [name, undefined]));

/** The update without what no list reports. */
export const withoutUnlisted = (update: ArticleUpdate): ArticleUpdate => ({ ...update, ...NOTHING_UNLISTED });

/** True where the update sets what no list reports, so that each article takes a read of its own. */
export const setsUnlisted = (update: ArticleUpdate): boolean =>
  UNLISTED_PROPERTIES.some((name) => update[name] !== undefined);

/** The service's text for a bulk update without items: see docs/service.md, "Bulk article update". */
export const EMPTY_BULK_UPDATE_TEXT = 'A non-empty request body is required.';

function listProblem(list: string, length: number, maxItems: number): string | null {
  if (length === 0) return `${list} must have at least one item. The service says: ${EMPTY_BULK_UPDATE_TEXT}`;
  return length > maxItems ? `${list} must have at most ${maxItems} items; it has ${length}.` : null;
}

interface ItemRules<Draft> {
  /** The problem of each member, as the end of a sentence; null for one that is absent and may be. */
  readonly problems: Readonly<Record<string, (draft: Draft) => string | null>>;
  readonly maxItems: number;
  /** The name of the list; `articles` where it is absent. */
  readonly list?: string;
  /** The position of the first item in the whole job. */
  readonly startIndex?: number | undefined;
}

/** Checks a list of items. An `Item` is a draft without a problem. */
export function* validateItems<Draft, Item extends Draft>(
  drafts: readonly Draft[],
  { problems, maxItems, list = 'articles', startIndex = 0 }: ItemRules<Draft>,
): Validation<readonly Item[]> {
  const problemOfList = listProblem(list, drafts.length, maxItems);
  if (problemOfList !== null) yield { path: [list], message: problemOfList };
  if (drafts.length > maxItems) return [];
  // Members that are absent need no check: GraphQL has refused a draft without a required one.
  const isValid = (draft: Draft): draft is Item => {
    for (const field in draft) if (problems[field]?.(draft) != null) return false;
    return true;
  };
  const items: Item[] = [];
  let index = startIndex;
  for (const draft of drafts) {
    if (isValid(draft)) items.push(draft);
    else
      for (const [field, problemOf] of Object.entries(problems)) {
        const problem = problemOf(draft);
        if (problem !== null) yield { path: [list, `${index}`, field], message: `${field} ${problem}.` };
      }
    index += 1;
  }
  return items;
}

const PROBLEMS = Object.fromEntries(MEMBERS.map(([name, { problemOf }]) => [name, problemOf]));

/** Checks the items of a bulk update, and returns the valid ones. */
export const validateArticleUpdates = (
  drafts: readonly ArticleUpdateDraft[],
  maxItems: number,
  startIndex?: number,
): Validation<readonly ArticleUpdate[]> =>
  validateItems<ArticleUpdateDraft, ArticleUpdate>(drafts, { problems: PROBLEMS, maxItems, startIndex });

/** The key of the text that an update changes. */
export const articleKeyOf = ({ articleId, languageCode, versionNumber }: UpdateTarget): ArticleKey => ({
  articleId,
  languageCode: languageCode ?? undefined,
  versionNumber: versionNumber ?? undefined,
});

/** A key that is equal for updates of the same text. */
export const textKeyOf = ({ articleId, languageCode, versionNumber }: Omit<UpdateTarget, 'ifRevision'>): string =>
  JSON.stringify([articleId, languageCode ?? null, versionNumber ?? null]);
