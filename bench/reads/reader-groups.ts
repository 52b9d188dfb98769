import { categoryIdOf, EDITION, idOf, LANGUAGES, PROJECT_VERSIONS, times } from './knowledge-base.ts';

// The readers and reader groups that the simulated service returns, as JSON of the service.

export const GROUP_COUNT = 20;
/** The readers of each group, who are in no other. */
const MEMBERS = 10;

const groupIdOf = (number: number): string => idOf(7, number);

export const READERS = times(GROUP_COUNT * MEMBERS, (number) => ({
  reader_id: idOf(6, number),
  first_name: `Ada ${number}`,
  last_name: 'Fern',
  email: `ada.fern.${number}@example.com`,
  access_scope: null,
  associated_reader_groups: [groupIdOf(Math.floor(number / MEMBERS))],
  is_invite_sso_user: false,
  last_login_at: null,
}));

export type ReaderJson = (typeof READERS)[number];

export interface AccessScopeJson {
  readonly access_level: number;
  readonly categories: readonly {
    readonly category_id: string;
    readonly project_version_id: string;
    readonly language_code: string;
  }[];
  readonly project_versions: readonly string[];
  readonly languages: readonly { readonly project_version_id: string; readonly language_code: string }[];
}

const NO_LISTS = { categories: [], project_versions: [], languages: [] } as const;

/** The scopes of groups in turn: five categories, two project versions, three languages, and the project. */
const SCOPES: readonly ((group: number) => AccessScopeJson)[] = [
  (group) => ({
    ...NO_LISTS,
    access_level: 1,
    categories: times(5, (position) => ({
      category_id: categoryIdOf(group + position),
      project_version_id: EDITION.projectVersionId,
      language_code: EDITION.languageCode,
    })),
  }),
  () => ({ ...NO_LISTS, access_level: 2, project_versions: PROJECT_VERSIONS.slice(0, 2).map(({ id }) => id) }),
  () => ({
    ...NO_LISTS,
    access_level: 4,
    languages: LANGUAGES.map(({ code }) => ({ project_version_id: EDITION.projectVersionId, language_code: code })),
  }),
  () => ({ ...NO_LISTS, access_level: 3 }),
];

export const READER_GROUPS = times(GROUP_COUNT, (number) => ({
  reader_group_id: groupIdOf(number),
  title: `Field staff ${number + 1}`,
  description: 'Who visits customers',
  associated_readers: times(MEMBERS, (member) => idOf(6, number * MEMBERS + member)),
  access_scope: scopeOf(number),
  associated_invited_sso_users: [],
}));

export type ReaderGroupJson = (typeof READER_GROUPS)[number];

function scopeOf(group: number): AccessScopeJson {
  const scope = SCOPES[group % SCOPES.length];
  if (!scope) throw new Error('There are no scopes.');
  return scope(group);
}
