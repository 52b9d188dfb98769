import type { InputIssue } from '../../domain/errors.ts';
import type { AccessScope } from '../../domain/reader-groups/access-scopes.ts';
import { findProjectVersion } from '../articles/project-versions.ts';
import { type Context, loadAll } from '../context.ts';

const COMMON_ERROR_KINDS = [
  'validation',
  'reader-group-not-found',
  'unauthenticated',
  'forbidden',
  'rate-limited',
  'rejected',
  'unavailable',
] as const;

/** The kinds of failure of a write to a reader group, which are members of its result union. */
export const READER_GROUP_ERROR_KINDS = [
  ...COMMON_ERROR_KINDS,
  'outcome-unknown',
  'idempotency-conflict',
  'idempotency-in-progress',
] as const;

/** The kinds of failure of the preview of such a write, which sends no write and may take many reads. */
export const READER_GROUP_PREVIEW_ERROR_KINDS = [...COMMON_ERROR_KINDS, 'too-costly'] as const;

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

/** The path of an entry, or of the member of an entry that has several. */
type PathOf = (index: number, member: keyof ScopeReference) => readonly string[];

/** Finds the first part of each entry that does not exist. */
export async function findUnknownScopeEntries(context: Context, scope: AccessScope): Promise<readonly InputIssue[]> {
  const { references, pathOf } = referencesOf(scope);
  const issues = await loadAll(context, references, async (reference, index): Promise<InputIssue | null> => {
    const unknown = await findUnknownPart(context, reference);
    return unknown && { path: ['accessScope', ...pathOf(index, unknown.member)], message: unknown.message };
  });
  return issues.filter((issue) => issue !== null);
}

function referencesOf(scope: AccessScope): { readonly references: readonly ScopeReference[]; readonly pathOf: PathOf } {
  switch (scope.level) {
    case 'CATEGORY':
      return { references: scope.categories, pathOf: (index, member) => ['categories', `${index}`, member] };
    case 'LANGUAGE':
      return { references: scope.languages, pathOf: (index, member) => ['languages', `${index}`, member] };
    case 'VERSION': {
      const references = scope.projectVersionIds.map((projectVersionId) => ({ projectVersionId }));
      return { references, pathOf: (index) => ['projectVersionIds', `${index}`] };
    }
    case 'NONE':
    case 'PROJECT':
    case 'ARTICLE':
    case 'LEVEL_6':
      return { references: [], pathOf: () => [] };
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
  const version = await findProjectVersion(context, projectVersionId);
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
