import type { ArticleTranslationStatus } from '../../../src/core/articles/articles.ts';
import type { ArticleUpdate } from '../../../src/core/articles/bulk-updates.ts';
import type { JsonObject } from '../../../src/core/base/json.ts';
import { encodeArticle, encodeListedArticle } from '../../../src/service/v2/articles.ts';
import { encodeCategory } from '../../../src/service/v2/categories.ts';
import { encodeProjectVersion } from '../../../src/service/v2/project-versions.ts';
import { list } from '../repeat.ts';

/** The state of an article after one of its updates, or before the first. */
interface Revision {
  readonly title: string;
  readonly content: string;
  readonly categoryId: string;
  readonly hidden: boolean;
  readonly order: number;
  readonly translationStatus: ArticleTranslationStatus;
  readonly modifiedAt: Date;
}

/** A member of an update that reads tell. */
type ReadableField = Exclude<keyof Revision, 'modifiedAt'>;

const READABLE_FIELDS: readonly ReadableField[] = [
  'title',
  'content',
  'categoryId',
  'hidden',
  'order',
  'translationStatus',
];

/** The articles of a service, with everything that they have ever been and what of that was read. */
export interface ServiceArticles {
  /** Changes the article, and all that the update asks for but the fields left out. False where there is none. */
  apply(update: ArticleUpdate, leftOut?: readonly ReadableField[]): boolean;
  /** True where a read has shown the article with everything that the update asks for. */
  wasSeenAs(update: ArticleUpdate): boolean;
  /** True where the article has everything now that the update asks for. */
  isAs(update: ArticleUpdate): boolean;
  /** Makes a version the public one. False where there is no such version. */
  publish(articleId: string, versionNumber: number): boolean;
  /** The version that an update with this title has made, since each update makes one; null where none has. */
  versionOf(articleId: string, title: string): number | null;
  /** These are the payloads of the reads. Null and an empty list stand for what does not exist. */
  readArticle(articleId: string): JsonObject | null;
  readList(page: { readonly first: number; readonly limit: number }): readonly JsonObject[];
  readTree(): readonly JsonObject[];
}

export const CATEGORIES = 8;
export const categoryIdOf = (index: number): string => `category-${index % CATEGORIES}`;
export const articleIdOf = (index: number): string => `article-${index}`;

const EDITION = { projectVersionId: 'version-1', languageCode: 'en' };
const UNTOUCHED_AT = new Date('2026-01-01T00:00:00Z');

export const PROJECT_VERSIONS: readonly JsonObject[] = [
  encodeProjectVersion(
    {
      projectVersionId: EDITION.projectVersionId,
      name: 'v1',
      isDefault: true,
      languages: [{ code: EDITION.languageCode, name: 'English', isDefault: true }],
    },
    0,
  ),
];

interface History {
  readonly articleId: string;
  readonly revisions: Revision[];
  publicVersion: number | null;
  /** The numbers of the revisions that reads have shown. */
  readonly seen: Set<number>;
}

const asked = (update: ArticleUpdate): readonly ReadableField[] =>
  READABLE_FIELDS.filter((field) => update[field] != null);

const hasAll = (revision: Revision, update: ArticleUpdate): boolean =>
  asked(update).every((field) => revision[field] === update[field]);

export function createServiceArticles(count: number): ServiceArticles {
  const histories = new Map(list(count, (index) => [articleIdOf(index), untouched(index)] as const));
  const historyOf = ({ articleId }: ArticleUpdate) => histories.get(articleId);
  return {
    apply(update, leftOut = []) {
      const history = historyOf(update);
      if (history === undefined) return false;
      const fields = asked(update).filter((field) => !leftOut.includes(field));
      const changes = Object.fromEntries(fields.map((field) => [field, update[field]]));
      history.revisions.push({ ...latestOf(history), ...changes, modifiedAt: new Date() });
      return true;
    },
    wasSeenAs(update) {
      const { revisions = [], seen = [] } = historyOf(update) ?? {};
      return [...seen].some((number) => {
        const revision = revisions[number];
        return revision !== undefined && hasAll(revision, update);
      });
    },
    isAs(update) {
      const history = historyOf(update);
      return history !== undefined && hasAll(latestOf(history), update);
    },
    publish(articleId, versionNumber) {
      const history = histories.get(articleId);
      if (history?.revisions[versionNumber - 1] === undefined) return false;
      history.publicVersion = versionNumber;
      return true;
    },
    versionOf(articleId, title) {
      const index = histories.get(articleId)?.revisions.findIndex((revision) => revision.title === title) ?? -1;
      return index < 0 ? null : index + 1;
    },
    readArticle(articleId) {
      const history = histories.get(articleId);
      return history ? encodeArticle({ article: seen(history), isFallback: false }) : null;
    },
    readList: ({ first, limit }) =>
      [...histories.values()].slice(first, first + limit).map((history) => encodeListedArticle(seen(history))),
    readTree() {
      const articles = Map.groupBy(histories.values(), (history) => latestOf(history).categoryId);
      return list(CATEGORIES, (index) => {
        const categoryId = categoryIdOf(index);
        const category = { ...EDITION, categoryId, name: categoryId, order: index + 1, parentCategoryId: null };
        const entries = articles.get(categoryId)?.map((history) => encodeListedArticle(seen(history))) ?? [];
        return encodeCategory(category, entries, []);
      });
    },
  };
}

const untouched = (index: number): History => ({
  articleId: articleIdOf(index),
  publicVersion: null,
  seen: new Set(),
  revisions: [
    {
      title: `Untouched ${index}`,
      content: 'Untouched',
      categoryId: categoryIdOf(index),
      hidden: false,
      order: 1,
      translationStatus: 'NONE',
      modifiedAt: UNTOUCHED_AT,
    },
  ],
});

function latestOf({ articleId, revisions }: History): Revision {
  const latest = revisions.at(-1);
  if (latest === undefined) throw new Error(`The article ${articleId} has no revision.`);
  return latest;
}

/** The article as it is now, whose revision counts as read from here on. */
function seen(history: History) {
  history.seen.add(history.revisions.length - 1);
  return {
    ...EDITION,
    ...latestOf(history),
    articleId: history.articleId,
    versionNumber: history.revisions.length,
    latestVersionNumber: history.revisions.length,
    pinned: false,
    slug: null,
    htmlContent: null,
    contentType: 'MARKDOWN' as const,
    status: 'DRAFT' as const,
    publicVersionNumber: history.publicVersion,
    url: null,
  };
}
