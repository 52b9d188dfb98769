import { err, ok, type Result } from '../../base/result.ts';
import { type BackendError, type InputIssue, readerGroupNotFound, readsTooCostly } from '../../domain/errors.ts';
import type { AccessScope } from '../../domain/reader-groups/access-scopes.ts';
import type { ReaderGroup } from '../../domain/reader-groups/reader-groups.ts';
import { type Context, loadAll } from '../context.ts';

/** Loads the group of a preview, unless the reads of the request would make too many calls with those that follow. */
export async function loadPreviewedGroup(
  { caller, limits, loaders }: Context,
  groupId: string,
  furtherCalls: number,
): Promise<Result<ReaderGroup, BackendError>> {
  const calls = caller.request.readCalls + 1 + furtherCalls;
  if (calls > limits.maxUpstreamCalls) return err(readsTooCostly(calls, limits.maxUpstreamCalls));
  const group = await loaders.readerGroups.load(groupId);
  return group === null ? err(readerGroupNotFound([])) : ok(group);
}

/** IDs of members in the input of a write, and those who are members already. */
interface MemberIds {
  /** The name of the list in the input. */
  readonly field: string;
  readonly ids: readonly string[];
  readonly members: readonly string[];
}

/** The loaders of members, with what a member is called. */
const MEMBER_NOUNS = { readers: 'Reader', invitedSsoUsers: 'Invitation' } as const;

/** Members are not looked for: a group keeps them, whether they exist or not. */
export async function findUnknownMembers(
  context: Context,
  kind: keyof typeof MEMBER_NOUNS,
  { field, ids, members }: MemberIds,
): Promise<readonly InputIssue[]> {
  const present = new Set(members);
  const joining = [...ids.entries().filter(([, id]) => !present.has(id))];
  const found = await loadAll<(typeof joining)[number], unknown>(context, joining, ([, id]) =>
    context.loaders[kind].load(id),
  );
  return joining
    .filter((_, index) => !found[index])
    .map(([index, id]) => ({ path: [field, `${index}`], message: `${MEMBER_NOUNS[kind]} ${id} does not exist.` }));
}

/** The object that an entry of a scope's list refers to. */
interface ScopeReference {
  readonly projectVersionId: string;
  readonly languageCode?: string;
  readonly categoryId?: string;
}

/** Finds the first part of each entry that does not exist. */
export async function findUnknownScopeEntries(context: Context, scope: AccessScope): Promise<readonly InputIssue[]> {
  const { list, references } = referencesOf(scope);
  const issues = await loadAll(context, references, async (reference, index): Promise<InputIssue | null> => {
    const unknown = await findUnknownPart(context, reference);
    if (unknown === null) return null;
    const path = ['accessScope', list, `${index}`, ...(list === 'projectVersionIds' ? [] : [unknown.member])];
    return { path, message: unknown.message };
  });
  return issues.filter((issue) => issue !== null);
}

/** The entries of the list of a scope, and its name in the input. */
function referencesOf(scope: AccessScope): { readonly list: string; readonly references: readonly ScopeReference[] } {
  switch (scope.level) {
    case 'CATEGORY':
      return { list: 'categories', references: scope.categories };
    case 'LANGUAGE':
      return { list: 'languages', references: scope.languages };
    case 'VERSION': {
      const references = scope.projectVersionIds.map((projectVersionId) => ({ projectVersionId }));
      return { list: 'projectVersionIds', references };
    }
    case 'NONE':
    case 'PROJECT':
    case 'ARTICLE':
    case 'LEVEL_6':
      return { list: 'level', references: [] };
  }
}

interface UnknownPart {
  readonly member: keyof ScopeReference;
  readonly message: string;
}

async function findUnknownPart(
  context: Context,
  { projectVersionId, languageCode, categoryId }: ScopeReference,
): Promise<UnknownPart | null> {
  const version = await context.loaders.findProjectVersion(projectVersionId);
  if (version === null) {
    return { member: 'projectVersionId', message: `Project version ${projectVersionId} does not exist.` };
  }
  const place = `does not exist in project version ${projectVersionId}.`;
  if (languageCode === undefined) return null;
  if (!version.languages.some(({ code }) => code === languageCode)) {
    return { member: 'languageCode', message: `Language ${languageCode} ${place}` };
  }
  if (categoryId === undefined) return null;
  const category = await context.loaders.categories.load({ projectVersionId, categoryId, languageCode });
  if (category?.projectVersionId === projectVersionId) return null;
  return { member: 'categoryId', message: `Category ${categoryId} ${place}` };
}

/** The calls to the service in which readers and invitations are looked for: one list has them all. */
export const callsForMembers = (...lists: readonly (readonly string[])[]): number =>
  lists.some((ids) => ids.length > 0) ? 1 : 0;

/** The fewest calls to the service that `findUnknownScopeEntries` makes: one for each category tree. */
export function callsForScope(scope: AccessScope | undefined): number {
  if (scope === undefined) return 0;
  const trees = scope.level === 'CATEGORY' ? scope.categories : [];
  const editions = new Set(trees.map(({ projectVersionId, languageCode }) => `${projectVersionId}\n${languageCode}`));
  return editions.size + (referencesOf(scope).references.length > 0 ? 1 : 0);
}
