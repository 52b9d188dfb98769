import { MAX_NODES } from '../../domain/pages.ts';
import { decodeGlobalId, type GlobalId } from '../../schema/relay/global-ids.ts';
import type { NodeTypeName } from '../../schema/relay/nodes.ts';

type Parts = GlobalId['parts'];

/**
 * Calls that find the latest articles of one language in the lists and trees of project versions, of which three are
 * assumed.
 */
const LISTED_ARTICLE_CALLS = 6;

/** The calls for objects of one type by the parts of their IDs, besides the list of project versions. */
const CALLS_BY_TYPE: ReadonlyMap<string, (ids: readonly Parts[]) => number> = new Map(
  Object.entries({
    Article: callsOfArticles,
    ArticleUpdateJob: () => 0,
    Category: (ids) => new Set(ids.map(([, ...edition]) => JSON.stringify(edition))).size,
    InvitedSsoUser: () => 1,
    ProjectVersion: () => 0,
    Reader: () => 1,
    ReaderGroup: ({ length }) => length,
  } satisfies Record<NodeTypeName, (ids: readonly Parts[]) => number>),
);

/** The most calls that find the objects with these global IDs. Resolvers reject more IDs, and those of no type. */
export function callsOfNodes(ids: readonly unknown[]): number {
  const decode = (id: unknown) => (typeof id === 'string' ? decodeGlobalId(id) : null) ?? [];
  const decoded = ids.slice(0, MAX_NODES).flatMap(decode);
  const byType = Map.groupBy(decoded, ({ typeName }) => typeName);
  return sum([...byType].map(([name, nodes]) => CALLS_BY_TYPE.get(name)?.(nodes.map(({ parts }) => parts)) ?? 0));
}

/** A version that is asked for by its number is in no list. */
function callsOfArticles(ids: readonly Parts[]): number {
  const latest = ids.filter(([, , versionNumber]) => versionNumber === undefined);
  const byLanguage = Map.groupBy(latest, ([, languageCode]) => languageCode);
  const listed = [...byLanguage.values()].map(({ length }) => Math.min(length, LISTED_ARTICLE_CALLS));
  return ids.length - latest.length + sum(listed);
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);
