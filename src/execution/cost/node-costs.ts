import { MAX_NODES, MAX_REPRESENTATIONS } from '../../base/pages.ts';
import { readRepresentation } from '../../schema/federation/entities.ts';
import { decodeGlobalId, type GlobalId } from '../../schema/relay/global-ids.ts';
import type { NodeTypeName } from '../../schema/relay/nodes.ts';

type Parts = GlobalId['parts'];

/** Assumed where nothing says how many there are. */
const PROJECT_VERSIONS = 3;

/** Calls that find the latest articles of one language in the lists and trees of project versions. */
const LISTED_ARTICLE_CALLS = 2 * PROJECT_VERSIONS;

/** The calls for objects of one type by the parts of their IDs, besides the list of project versions. */
const CALLS_BY_TYPE: ReadonlyMap<string, (ids: readonly Parts[]) => number> = new Map(
  Object.entries({
    Article: callsOfArticles,
    ArticleUpdateJob: () => 0,
    Category: callsOfCategories,
    InvitedSsoUser: () => 1,
    ProjectVersion: () => 0,
    Reader: () => 1,
    ReaderGroup: ({ length }) => length,
  } satisfies Record<NodeTypeName, (ids: readonly Parts[]) => number>),
);

/** The most calls that find the objects with these global IDs. Resolvers reject more IDs, and those of no type. */
export function callsOfNodes(ids: readonly unknown[]): number {
  const decode = (id: unknown) => (typeof id === 'string' ? decodeGlobalId(id) : null) ?? [];
  return callsOf(ids.slice(0, MAX_NODES).flatMap(decode));
}

/** Counts the calls of entities as those of nodes, by either of their keys. */
export const callsOfEntities = (representations: readonly unknown[]): number =>
  callsOf(representations.slice(0, MAX_REPRESENTATIONS).flatMap((one) => readRepresentation(one) ?? []));

function callsOf(named: readonly GlobalId[]): number {
  const byType = Map.groupBy(named, ({ typeName }) => typeName);
  return sum([...byType].map(([name, nodes]) => CALLS_BY_TYPE.get(name)?.(nodes.map(({ parts }) => parts)) ?? 0));
}

/** A version that is asked for by its number is in no list. */
function callsOfArticles(ids: readonly Parts[]): number {
  const latest = ids.filter(([, , versionNumber]) => versionNumber === undefined);
  const byLanguage = Map.groupBy(latest, ([, languageCode]) => languageCode);
  const listed = [...byLanguage.values()].map(({ length }) => Math.min(length, LISTED_ARTICLE_CALLS));
  return ids.length - latest.length + sum(listed);
}

/** A category is in the tree of its project version, or in one of all where that is not named. */
function callsOfCategories(ids: readonly Parts[]): number {
  const versions = new Map(ids.map(([, ...edition]) => [JSON.stringify(edition), edition[1]]));
  return sum([...versions.values()].map((version) => (version === undefined ? PROJECT_VERSIONS : 1)));
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);
