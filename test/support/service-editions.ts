import { type Behaviour, envelope, json, type Received } from './faulty-service.ts';

/** One project version in one language, as the service has it. */
export interface ServiceEdition {
  readonly projectVersionId: string;
  readonly languageCode: string;
  /** Members of each article, beside those of `listedEntry`. */
  readonly articles: Readonly<Record<string, object>>;
}

/** The readings of the service's papers about the languages of lists: see docs/service.md, "Article lists". */
export interface ListReading {
  /** The language that an entry of a list names. */
  readonly codes: 'requested' | 'default' | 'null';
  /** Whether lists have articles without a translation. */
  readonly untranslated: 'absent' | 'stand-ins';
}

const AS_REQUESTED: ListReading = { codes: 'requested', untranslated: 'absent' };

export const listedEntry = (id: string, languageCode: string | null, members: object = {}) => ({
  id,
  title: id,
  language_code: languageCode,
  latest_version: 3,
  hidden: false,
  order: 1,
  content_type: 0,
  translation_option: 0,
  is_shared_article: false,
  ...members,
});

/** The articles of this category are all articles of the edition. */
export const categoryOf = (projectVersionId: string) => `category of ${projectVersionId}`;

/** The other category has none. */
export const emptyCategoryOf = (projectVersionId: string) => `empty category of ${projectVersionId}`;

/** The most entries of a list without paging: see docs/service.md, "Article lists". */
const MAX_UNPAGED = 1_000;

/**
 * The reads of a service with these editions. The first edition is the default one, and the first of a project version
 * is in its default language.
 */
export function serveEditions(editions: readonly ServiceEdition[], reading = AS_REQUESTED): Behaviour {
  const notFound = json(400, { success: false, errors: [{ description: 'Not found.' }] });
  const answer = (request: Received): Behaviour => {
    const url = new URL(request.url, 'http://service');
    const [, , resource, id = '', kind = '', , versionNumber = '3'] = url.pathname.split('/').map(decodeURIComponent);
    if (resource === 'ProjectVersions' && id === '') return found(versionsOf(editions));
    if (resource === 'Articles') return articleIn(editions, { id, languageCode: kind, versionNumber }) ?? notFound;
    const code = url.searchParams.get('langCode') ?? kind;
    const own = editions.filter(({ projectVersionId }) => projectVersionId === id);
    const edition = own.find(({ languageCode }) => languageCode === code);
    if (edition === undefined) return notFound;
    const entries = entriesOf(edition, own[0] ?? edition, reading);
    if (kind === 'articles') return found(entries.slice(0, MAX_UNPAGED));
    return found(kind === 'categories' ? treeOf(edition, entries) : hitsOf(entries));
  };
  return (response, request) => answer(request)(response, request);
}

const found = (data: unknown): Behaviour => json(200, envelope(data));

const versionsOf = (editions: readonly ServiceEdition[]) =>
  [...Map.groupBy(editions, ({ projectVersionId }) => projectVersionId)].map(([id, own], index) => ({
    id,
    version_code_name: id,
    is_main_version: index === 0,
    language_versions: own.map(({ languageCode: code }, n) => ({ code, name: code, set_as_default: n === 0 })),
  }));

function entriesOf(edition: ServiceEdition, inDefault: ServiceEdition, { codes, untranslated }: ListReading) {
  const entry = (id: string, { languageCode, articles }: ServiceEdition) => {
    const code = { requested: languageCode, default: inDefault.languageCode, null: null }[codes];
    return listedEntry(id, code, articles[id]);
  };
  const missing = Object.keys(inDefault.articles).filter((id) => !(id in edition.articles));
  const standIns = untranslated === 'absent' ? [] : missing.map((id) => entry(id, inDefault));
  return [...standIns, ...Object.keys(edition.articles).map((id) => entry(id, edition))];
}

type Entries = ReturnType<typeof entriesOf>;

const hitsOf = (entries: Entries) => ({
  hits: entries.map(({ id, language_code }) => ({ article_id: id, is_category: false, lang_code: language_code })),
  nb_pages: 1,
});

const treeOf = (edition: ServiceEdition, entries: Entries) =>
  [categoryOf, emptyCategoryOf].map((idOf) => ({
    id: idOf(edition.projectVersionId),
    name: idOf(edition.projectVersionId),
    project_version_id: edition.projectVersionId,
    language_code: entries[0]?.language_code ?? null,
    articles: idOf === categoryOf ? entries : [],
    child_categories: [],
  }));

/** An article without a translation is answered in another language, and marked. */
function articleIn(
  editions: readonly ServiceEdition[],
  { id, languageCode, versionNumber }: Readonly<Record<'id' | 'languageCode' | 'versionNumber', string>>,
): Behaviour | null {
  const own = editions.filter(({ articles }) => articles[id] !== undefined);
  const edition = own.find((one) => one.languageCode === languageCode) ?? own[0];
  if (edition === undefined) return null;
  const { projectVersionId } = edition;
  return found({
    ...listedEntry(id, edition.languageCode, edition.articles[id]),
    version_number: Number(versionNumber),
    content: `text of ${id}`,
    html_content: null,
    category_id: categoryOf(projectVersionId),
    project_version_id: projectVersionId,
    is_fall_back_content: edition.languageCode !== languageCode,
  });
}
