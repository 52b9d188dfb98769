import { encodeArticleUpdate } from '../../src/service/v2/bulk-updates.ts';
import { FACADE_ROUTES } from '../../src/store/facade/routes.ts';
import { STORE_ACCOUNT } from '../../src/store/knowledge-base/format.ts';
import type { BadValue } from './values.ts';

type Key = string | number;

/** A position of a value in a request to `/v2`: in a body, or as text in an address. */
export type V2Position =
  | { readonly kind: 'body'; readonly route: string; readonly base: unknown; readonly path: readonly Key[] }
  | { readonly kind: 'path' | 'query'; readonly route: string; readonly name: string };

const ITEM = { article_id: 'a1', lang_code: 'en', source: 'fuzz' };
const ITEM_MEMBERS = Object.keys(encodeArticleUpdate({ articleId: 'a1' }));

const LANGUAGE = { project_version_id: 'pv1', language_code: 'en' };
const CATEGORY = { ...LANGUAGE, category_id: 'c1' };
const GROUP = { title: 'Fuzz', description: null, access_scope: { access_level: 3 } };
const SCOPED = {
  categories: { access_level: 1, categories: [CATEGORY] },
  project_versions: { access_level: 2, project_versions: ['pv1'] },
  languages: { access_level: 4, languages: [LANGUAGE] },
};

const NEW = {
  title: 'Fuzz',
  project_version_id: 'pv1',
  user_id: STORE_ACCOUNT.user_id,
  category_id: 'c2',
  content: 'Text',
  content_type: 0,
  order: 1,
};

export const BULK = '/v2/Articles/bulkupdate';
export const CREATE = '/v2/Articles';
export const BULK_CREATE = '/v2/Articles/bulkcreate';
export const GROUP_OF = '/v2/Readers/groups/g1';

const bodyPosition = (route: string, base: unknown, path: readonly Key[]): V2Position => ({
  kind: 'body',
  route,
  base,
  path,
});

const groupPosition = (path: readonly Key[], scope: unknown = GROUP.access_scope) =>
  bodyPosition(GROUP_OF, { ...GROUP, access_scope: scope }, path);

const scopePositions = Object.entries(SCOPED).flatMap(([list, scope]) => {
  const members = { categories: Object.keys(CATEGORY), project_versions: [], languages: Object.keys(LANGUAGE) }[list];
  return [
    groupPosition(['access_scope', list], scope),
    groupPosition(['access_scope', list, 0], scope),
    ...(members ?? []).map((member) => groupPosition(['access_scope', list, 0, member], scope)),
  ];
});

const bodyPositions: readonly V2Position[] = [
  ...[[], [0], ...ITEM_MEMBERS.map((member) => [0, member])].map((path) => bodyPosition(BULK, [ITEM], path)),
  ...[[], ...Object.keys(NEW).map((member) => [member])].map((path) => bodyPosition(CREATE, NEW, path)),
  ...[[], [0], ...Object.keys(NEW).map((member) => [0, member])].map((path) => bodyPosition(BULK_CREATE, [NEW], path)),
  ...[[], ['title'], ['description'], ['access_scope'], ['access_scope', 'access_level']].map((path) =>
    groupPosition(path),
  ),
  ...['associated_readers', 'associated_invited_sso_users'].flatMap((list) => [
    groupPosition([list]),
    groupPosition([list, 0]),
  ]),
  ...scopePositions,
];

/** The query parameters of each read: see docs/contract.md, "Store over REST". */
const QUERIES: Readonly<Record<string, readonly string[]>> = {
  '/v2/Readers': ['offSet', 'searchEmail'],
  '/v2/Readers/groups': ['offSet', 'excludeReaders'],
  '/v2/Readers/groups/{groupId}': ['offSet'],
  '/v2/ProjectVersions/{projectVersionId}/articles': ['langCode', 'page', 'hitsPerPage'],
  '/v2/ProjectVersions/{projectVersionId}/categories': ['langCode', 'excludeArticles'],
  '/v2/Categories/{categoryId}': ['langCode'],
};

/** A valid value of each path parameter. */
const PARAMETERS: Readonly<Record<string, string>> = {
  groupId: 'g1',
  articleId: 'a1',
  langCode: 'en',
  versionNumber: '1',
  projectVersionId: 'pv1',
  categoryId: 'c1',
};

const addressPositions: readonly V2Position[] = FACADE_ROUTES.filter(({ method }) => method === 'GET').flatMap(
  ({ path: route }) => [
    ...[...route.matchAll(/\{(\w+)\}/gu)].map(([, name = '']) => ({ kind: 'path' as const, route, name })),
    ...(QUERIES[route] ?? []).map((name) => ({ kind: 'query' as const, route, name })),
  ],
);

/** All members of both bodies that are written, and all parameters of the addresses that are read. */
export const V2_POSITIONS: readonly V2Position[] = [...bodyPositions, ...addressPositions];

export const nameOf = (position: V2Position): string =>
  `${position.route} ${position.kind} ${position.kind === 'body' ? position.path.join('.') : position.name}`;

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

/** The longest address: the server rejects longer ones with 431 before they are parsed. */
const MAX_ADDRESS = 12_000;

/** Null when the position cannot hold the value: an address is text of limited length, and `.` in it is resolved. */
export function requestWith(position: V2Position, { value }: BadValue): V2Request | null {
  if (position.kind === 'body')
    return { address: position.route, body: replaceAt(position.base, position.path, value) };
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  if (!text.isWellFormed() || text.length > MAX_ADDRESS) return null;
  const segment = encodeURIComponent(text);
  if (segment.length > MAX_ADDRESS || (position.kind === 'path' && ['', '.', '..'].includes(text))) return null;
  const path = position.route.replaceAll(/\{(\w+)\}/gu, (_, name: string) =>
    position.kind === 'path' && position.name === name ? segment : (PARAMETERS[name] ?? ''),
  );
  return { address: position.kind === 'query' ? `${path}?${position.name}=${segment}` : path, body: undefined };
}
