import { ROUTES } from '../../src/facade/routes.ts';
import type { BadValue } from './values.ts';

type Key = string | number;

/** Where a value can stand in a request to `/v2`: in a body, or as text in an address. */
export type V2Place =
  | { readonly kind: 'body'; readonly route: string; readonly base: unknown; readonly path: readonly Key[] }
  | { readonly kind: 'path' | 'query'; readonly route: string; readonly name: string };

const ITEM = { article_id: 'a1', lang_code: 'en', source: 'fuzz' };
const ITEM_MEMBERS = [
  ...['article_id', 'lang_code', 'title', 'content', 'html_content', 'category_id', 'hidden', 'version_number'],
  ...['translation_option', 'source', 'order'],
];

const LANGUAGE = { project_version_id: 'pv1', language_code: 'en' };
const CATEGORY = { ...LANGUAGE, category_id: 'c1' };
const GROUP = { title: 'Fuzz', description: null, access_scope: { access_level: 3 } };
const SCOPED = {
  categories: { access_level: 1, categories: [CATEGORY] },
  project_versions: { access_level: 2, project_versions: ['pv1'] },
  languages: { access_level: 4, languages: [LANGUAGE] },
};

export const BULK = '/v2/Articles/bulkupdate';
export const GROUP_OF = '/v2/Readers/groups/g1';

const bodyPlace = (route: string, base: unknown, path: readonly Key[]): V2Place => ({
  kind: 'body',
  route,
  base,
  path,
});

const groupPlace = (path: readonly Key[], scope: unknown = GROUP.access_scope) =>
  bodyPlace(GROUP_OF, { ...GROUP, access_scope: scope }, path);

const scopePlaces = Object.entries(SCOPED).flatMap(([list, scope]) => {
  const members = { categories: Object.keys(CATEGORY), project_versions: [], languages: Object.keys(LANGUAGE) }[list];
  return [
    groupPlace(['access_scope', list], scope),
    groupPlace(['access_scope', list, 0], scope),
    ...(members ?? []).map((member) => groupPlace(['access_scope', list, 0, member], scope)),
  ];
});

const bodyPlaces: readonly V2Place[] = [
  ...[[], [0], ...ITEM_MEMBERS.map((member) => [0, member])].map((path) => bodyPlace(BULK, [ITEM], path)),
  ...[[], ['title'], ['description'], ['access_scope'], ['access_scope', 'access_level']].map((path) =>
    groupPlace(path),
  ),
  ...['associated_readers', 'associated_invited_sso_users'].flatMap((list) => [
    groupPlace([list]),
    groupPlace([list, 0]),
  ]),
  ...scopePlaces,
];

/** What each read takes in its query (facts, section 1). */
const QUERIES: Readonly<Record<string, readonly string[]>> = {
  '/v2/Readers': ['offSet', 'searchEmail'],
  '/v2/Readers/groups': ['offSet', 'excludeReaders'],
  '/v2/Readers/groups/{groupId}': ['offSet'],
  '/v2/ProjectVersions/{projectVersionId}/articles': ['langCode', 'page', 'hitsPerPage'],
  '/v2/ProjectVersions/{projectVersionId}/categories': ['langCode', 'excludeArticles'],
  '/v2/Categories/{categoryId}': ['langCode'],
};

/** A right value of each parameter of a path. */
const PARAMETERS: Readonly<Record<string, string>> = {
  groupId: 'g1',
  articleId: 'a1',
  langCode: 'en',
  versionNumber: '1',
  projectVersionId: 'pv1',
  categoryId: 'c1',
};

const addressPlaces: readonly V2Place[] = ROUTES.filter(({ method }) => method === 'GET').flatMap(({ path: route }) => [
  ...[...route.matchAll(/\{(\w+)\}/gu)].map(([, name = '']) => ({ kind: 'path' as const, route, name })),
  ...(QUERIES[route] ?? []).map((name) => ({ kind: 'query' as const, route, name })),
]);

/** Both bodies of the specification, member by member, and every parameter of every address that is read. */
export const V2_PLACES: readonly V2Place[] = [...bodyPlaces, ...addressPlaces];

export const nameOf = (place: V2Place): string =>
  `${place.route} ${place.kind} ${place.kind === 'body' ? place.path.join('.') : place.name}`;

function replaceAt(base: unknown, [key, ...rest]: readonly Key[], value: unknown): unknown {
  if (key === undefined) return value;
  if (typeof key === 'number') return [replaceAt(Array.isArray(base) ? base[key] : undefined, rest, value)];
  const inside = Object.entries(Object(base)).find(([name]) => name === key)?.[1];
  return { ...Object(base), [key]: replaceAt(inside, rest, value) };
}

export interface V2Request {
  readonly address: string;
  /** Undefined for a read. */
  readonly body: unknown;
}

/** Longer addresses are refused by the server before anything looks at them (431). */
const MAX_ADDRESS = 12_000;

/** Null where the value can't stand there: an address is made of text, is not endless, and `.` in it is resolved. */
export function requestWith(place: V2Place, { value }: BadValue): V2Request | null {
  if (place.kind === 'body') return { address: place.route, body: replaceAt(place.base, place.path, value) };
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  if (!text.isWellFormed() || text.length > MAX_ADDRESS) return null;
  const segment = encodeURIComponent(text);
  if (segment.length > MAX_ADDRESS || (place.kind === 'path' && ['', '.', '..'].includes(text))) return null;
  const path = place.route.replaceAll(/\{(\w+)\}/gu, (_, name: string) =>
    place.kind === 'path' && place.name === name ? segment : (PARAMETERS[name] ?? ''),
  );
  return { address: place.kind === 'query' ? `${path}?${place.name}=${segment}` : path, body: undefined };
}
