import {
  type Knowledge,
  languagesOf,
  latestOf,
  PROJECT_VERSIONS,
  type StoredArticle,
  type StoredCategory,
  type StoredText,
  type StoredVersion,
  USERS,
} from './knowledge.ts';
import type { Readings } from './readings.ts';
import { articleOf, defaultLanguageOf, Refused, versionOf } from './writes.ts';

// What reads answer, in the members of the API file.

const timeOf = (milliseconds: number): string => new Date(milliseconds).toISOString();

const TIMES = { created_at: '2025-01-01T00:00:00', modified_at: '2025-01-01T00:00:00' } as const;

export const projectVersions = () =>
  PROJECT_VERSIONS.map(({ id, name, languages }, index) => ({
    id,
    version_number: index + 1,
    base_version_number: 0,
    version_code_name: name,
    is_main_version: index === 0,
    is_beta: false,
    is_public: true,
    is_deprecated: false,
    ...TIMES,
    language_versions: languages.map((code, position) => ({
      id: `language-${code}`,
      name: code,
      code,
      set_as_default: position === 0,
      hidden: false,
      enable_rtl: false,
      site_protection_level: 0,
      country_flag_code: null,
      display_name: code,
    })),
    slug: name.toLowerCase(),
    order: index,
    version_type: 0,
  }));

export const languages = (projectVersionId: string) =>
  languagesOf(projectVersionId).map((code, index) => ({
    language_id: `language-${code}`,
    language_code: code,
    language_name: code,
    is_set_as_default: index === 0,
    country_flag_code: null,
  }));

/** The text that a read in a language shows: the default one where there is none. */
function shownText(article: StoredArticle, code: string): { readonly text: StoredText; readonly code: string } {
  const own = article.texts.get(code);
  if (own !== undefined) return { text: own, code };
  const fallback = defaultLanguageOf(article);
  const text = article.texts.get(fallback);
  if (text === undefined) throw new Refused('Article not found');
  return { text, code: fallback };
}

export function listEntry(article: StoredArticle, code: string, { listLanguages }: Readings) {
  const shown = shownText(article, code);
  const latest = latestOf(shown.text);
  const defaultCode = defaultLanguageOf(article);
  const languageCode = { requested: shown.code, default: defaultCode, null: null }[listLanguages];
  return { ...entryMembers(article, shown.text), title: latest.title, language_code: languageCode };
}

const entryMembers = ({ id, hidden, order, contentType }: StoredArticle, text: StoredText) => ({
  id,
  public_version: text.publicVersion,
  latest_version: latestOf(text).number,
  hidden,
  status: latestOf(text).isPublished ? 3 : 0,
  order,
  slug: id,
  content_type: contentType,
  translation_option: text.translationOption,
  is_shared_article: false,
  modified_at: timeOf(latestOf(text).modifiedAt),
});

/** The articles of a project version in a language, with or without stand-ins for missing translations. */
function articlesIn(knowledge: Knowledge, { projectVersionId, code }: Edition, untranslated: Readings['untranslated']) {
  return [...knowledge.articles.values()].filter(
    (one) => one.projectVersionId === projectVersionId && (untranslated === 'stand-ins' || one.texts.has(code)),
  );
}

export interface Edition {
  readonly projectVersionId: string;
  readonly code: string;
}

export function editionOf(projectVersionId: string, languageCode: string | null): Edition {
  const codes = languagesOf(projectVersionId.toLowerCase());
  const code = languageCode ?? codes[0];
  if (code === undefined) throw new Refused('The supplied project version id does not exist in your project');
  if (!codes.includes(code)) throw new Refused('Invalid Language code');
  return { projectVersionId: projectVersionId.toLowerCase(), code };
}

/** `page` counts from 0, and is ignored without `hitsPerPage`. */
export function articleList(
  knowledge: Knowledge,
  edition: Edition,
  { readings, page, hitsPerPage }: { readonly readings: Readings; readonly page: number; readonly hitsPerPage: number },
) {
  const size = hitsPerPage || 1_000;
  return articlesIn(knowledge, edition, readings.untranslated)
    .slice(page * size, (page + 1) * size)
    .map((article) => ({
      ...listEntry(article, edition.code, readings),
      url: `https://docs.example.com/${article.id}`,
    }));
}

export const categoryTree = (
  knowledge: Knowledge,
  edition: Edition,
  { readings, isBare }: { readonly readings: Readings; readonly isBare: boolean },
) => {
  const { projectVersionId, code } = edition;
  const articles = isBare ? [] : articlesIn(knowledge, edition, readings.untranslated);
  const languageCode = { requested: code, default: languagesOf(projectVersionId)[0] ?? null, null: null }[
    readings.listLanguages
  ];
  const nodesUnder = (parentId: string | null): readonly object[] =>
    knowledge.categories
      .filter((one) => one.projectVersionId === projectVersionId && one.parentId === parentId)
      .map((one) => ({
        ...categoryMembers(one),
        language_code: languageCode,
        articles: articles
          .filter(({ categoryId }) => categoryId === one.id)
          .map((entry) => listEntry(entry, code, readings)),
        child_categories: nodesUnder(one.id),
      }));
  return nodesUnder(null);
};

const categoryMembers = ({ id, name, projectVersionId, parentId, order }: StoredCategory) => ({
  id,
  name,
  description: null,
  project_version_id: projectVersionId,
  order,
  parent_category_id: parentId,
  hidden: false,
  icon: null,
  slug: id,
  category_type: 0,
  ...TIMES,
  status: 0,
  content_type: 0,
});

/** The node of a category in a tree. */
export function findNode(nodes: readonly object[], id: string): object | null {
  for (const node of nodes) {
    const { id: nodeId, child_categories: children } = { id: null, child_categories: [], ...node };
    const found = nodeId === id.toLowerCase() ? node : findNode(children, id);
    if (found !== null) return found;
  }
  return null;
}

interface ReadOptions {
  readonly languageCode: string | null;
  /** Absent where the latest version is meant. */
  readonly versionNumber?: number;
  readonly isPublished?: boolean;
}

/** A whole article. */
export function wholeArticle(knowledge: Knowledge, id: string, options: ReadOptions) {
  const article = articleOf(knowledge, id);
  const code = options.languageCode ?? defaultLanguageOf(article);
  if (!languagesOf(article.projectVersionId).includes(code)) throw new Refused('Invalid Language code');
  const { text, code: shownCode } = shownText(article, code);
  const version = shownVersion(text, options);
  return {
    ...entryMembers(article, text),
    title: version.title,
    content: article.contentType === 0 ? version.body : null,
    html_content: article.contentType === 1 ? version.body : `<p>${version.body}</p>`,
    category_id: article.categoryId,
    project_version_id: article.projectVersionId,
    version_number: version.number,
    enable_rtl: false,
    status: version.isPublished ? 3 : 0,
    created_by: USERS[0],
    authors: [],
    created_at: timeOf(version.createdAt),
    modified_at: timeOf(version.modifiedAt),
    is_fall_back_content: shownCode !== code,
    description: null,
    category_type: null,
    url: `https://docs.example.com/${article.id}`,
  };
}

function shownVersion(text: StoredText, { versionNumber, isPublished = false }: ReadOptions): StoredVersion {
  const number = versionNumber ?? (isPublished && text.publicVersion > 0 ? text.publicVersion : null);
  return number === null ? latestOf(text) : versionOf(text, number);
}

export const versionEntry = ({ number, base, isPublished, createdAt, modifiedAt }: StoredVersion) => ({
  version_number: number,
  created_by: 'A person',
  created_at: timeOf(createdAt),
  modified_at: timeOf(modifiedAt),
  base_version: base,
  status: isPublished ? 3 : 0,
  profile_url: null,
});

export function versions(knowledge: Knowledge, id: string, languageCode: string | null) {
  const article = articleOf(knowledge, id);
  return shownText(article, languageCode ?? defaultLanguageOf(article)).text.versions.map(versionEntry);
}

/** Hits are the articles whose titles have the text. */
export function search(knowledge: Knowledge, edition: Edition, query: string) {
  const { code } = edition;
  const hits = articlesIn(knowledge, edition, 'absent').flatMap((article) => {
    const text = article.texts.get(code);
    const title = text && latestOf(text).title;
    return title?.includes(query)
      ? [
          {
            article_id: article.id,
            title,
            is_hidden: article.hidden,
            is_category: false,
            is_draft: false,
            lang_code: code,
          },
        ]
      : [];
  });
  return { hits, nb_hits: hits.length, page: 0, nb_pages: 1, hits_per_page: 10, processing_time_ms: 1, query };
}
