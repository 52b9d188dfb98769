import { z } from 'zod';
import type { ArticleContentType, ArticleStatus, ArticleTranslationStatus } from '../../core/articles/articles.ts';
import { MAX_ID_LENGTH } from '../../core/base/limits.ts';
import { idProblem, storedTextProblem, textProblem } from '../../core/base/text.ts';
import type { AccessScope } from '../../core/reader-groups/access-scopes.ts';
import { readerGroupTitleProblem, type WholeReaderGroupUpdate } from '../../core/reader-groups/reader-group-updates.ts';
import { decodeAccessScope } from '../../service/v2/access-scopes.ts';
import { lenientTime } from '../../service/v2/fields.ts';

const stringWithRule = (problemOf: (value: string) => string | null) =>
  z
    .string('must be a string')
    .refine((value) => problemOf(value) === null, { error: ({ input }) => problemOf(String(input)) });

const text = stringWithRule(textProblem);

/** An ID or a language code: both are segments of paths. */
const id = stringWithRule(idProblem).meta({ minLength: 1, maxLength: MAX_ID_LENGTH });

const flag = z.boolean('must be true or false');

/** The service's whole numbers have 32 bits: see docs/service.md, "IDs and times". */
const MAX_INT32 = 2_147_483_647;

function wholeNumber(min: number) {
  const message = `must be a whole number from ${min} to ${MAX_INT32}`;
  return z.int(message).min(min, message).max(MAX_INT32, message);
}

/** The most problems of one list that are gathered, and that are counted. */
const MAX_LIST_PROBLEMS = 20;
const MAX_COUNTED_PROBLEMS = 1_000;

/** Shorter lists are checked at once, with all problems of their items. */
const MAX_SHORT_LIST = 100;

/** The number of problems that an issue represents; infinite where they were not counted to the end. */
export const moreProblemsOf = (params: Readonly<Record<string, unknown>> | undefined): number =>
  typeof params?.['more'] === 'number' ? params['more'] : 1;

/** A list of any length. Few of its problems are kept, since each takes more memory than its item. */
const list = <T extends z.ZodType>(item: T, items = z.array(item, 'must be a list')) =>
  z.preprocess((value, context) => {
    if (Array.isArray(value) && value.length > MAX_SHORT_LIST) addFirstProblems(value, item, context);
    return value;
  }, items);

function addFirstProblems(items: readonly unknown[], item: z.ZodType, context: z.core.$RefinementCtx): void {
  let problems = 0;
  for (const [index, one] of items.entries()) {
    if (problems > MAX_COUNTED_PROBLEMS) break;
    for (const issue of item.safeParse(one).error?.issues ?? []) {
      problems += 1;
      const path = [index, ...issue.path, ...(issue.code === 'unrecognized_keys' ? issue.keys.slice(0, 1) : [])];
      if (problems <= MAX_LIST_PROBLEMS) context.addIssue({ code: 'custom', message: issue.message, path });
    }
  }
  const more = problems > MAX_COUNTED_PROBLEMS ? Number.POSITIVE_INFINITY : problems - MAX_LIST_PROBLEMS;
  if (more > 0) context.addIssue({ code: 'custom', message: 'has more problems', path: [], params: { more } });
}

/** A member that may be missing. */
const orNull = <T extends z.ZodType>(member: T) =>
  member.nullish().transform((value): z.output<T> | null => value ?? null);

const entry = <T extends z.ZodRawShape>(members: T) =>
  z.strictObject(members, {
    error: ({ code }) =>
      code === 'unrecognized_keys'
        ? `is not known here: the members are ${Object.keys(members).join(', ')}`
        : 'must be an object',
  });

/** A list of the document; empty when it is missing. */
const entriesOf = <T extends z.ZodType>(member: T) =>
  z
    .array(member, 'must be a list')
    .optional()
    .transform((entries): z.output<T>[] => entries ?? []);

const languageScope = entry({ project_version_id: id, language_code: id }).transform((raw) => ({
  projectVersionId: raw.project_version_id,
  languageCode: raw.language_code,
}));

const categoryScope = entry({ project_version_id: id, category_id: id, language_code: id }).transform((raw) => ({
  projectVersionId: raw.project_version_id,
  categoryId: raw.category_id,
  languageCode: raw.language_code,
}));

/** The scope of a group, with the rules of the service for its lists. */
const accessScope = entry({
  access_level: z.int('must be a whole number').nullish(),
  categories: list(categoryScope).nullish(),
  project_versions: list(id).nullish(),
  languages: list(languageScope).nullish(),
}).transform((raw, context): AccessScope => {
  const scope = decodeAccessScope(raw);
  if (scope.ok) return scope.value;
  for (const message of scope.error) context.addIssue(message);
  return z.NEVER;
});

/** 0 and null both mean that no order is set: see docs/service.md, "Bulk article update". */
const order = wholeNumber(0)
  .nullish()
  .transform((value) => value || null);

const projectVersion = entry({ id, name: text, is_default: flag });

const language = entry({ project_version_id: id, code: id, name: text, is_default: flag });

const category = entry({
  id,
  project_version_id: id,
  parent_category_id: orNull(id),
  name: text,
  order,
});

/** The service has the status 3, which cannot be written through it: see docs/service.md, "Enumerations". */
export const TRANSLATION_STATUSES = {
  '0': 'NONE',
  '1': 'NEEDS_TRANSLATION',
  '2': 'TRANSLATED',
  '3': 'IN_PROGRESS',
} as const satisfies Record<string, ArticleTranslationStatus>;

/** The reverse of `TRANSLATION_STATUSES`. */
export const OPTIONS_OF_STATUSES = {
  NONE: '0',
  NEEDS_TRANSLATION: '1',
  TRANSLATED: '2',
  IN_PROGRESS: '3',
  UNRECOGNIZED: null,
} as const satisfies Record<ArticleTranslationStatus, keyof typeof TRANSLATION_STATUSES | null>;

export const CONTENT_TYPES = {
  markdown: 'MARKDOWN',
  wysiwyg: 'WYSIWYG',
  block: 'BLOCK',
} as const satisfies Record<string, ArticleContentType>;

/** The content types by the names of the format, and their reverse. */
export const EDITORS = {
  MARKDOWN: 'markdown',
  WYSIWYG: 'wysiwyg',
  BLOCK: 'block',
} as const satisfies Record<ArticleContentType, keyof typeof CONTENT_TYPES>;

/** The service's numbers of the statuses that a version can have: see docs/service.md, "Enumerations". */
export const STATUSES = { 0: 'DRAFT', 3: 'PUBLISHED' } as const satisfies Record<number, ArticleStatus>;

/** The reverse of `STATUSES`. */
export const STATUS_NUMBERS = { DRAFT: 0, PUBLISHED: 3 } as const;

/** A time as ISO 8601 in UTC. */
const time = z
  .string('must be a string')
  .refine((value) => lenientTime(value) !== null, 'must be a time such as 2024-05-31T09:30:00Z')
  .transform((value) => lenientTime(value)?.toISOString() ?? null)
  .meta({ format: 'date-time' });

/** An optional member that is missing is unknown: see docs/contract.md, "Import format". */
export const importedVersion = entry({
  lang_code: id,
  version_number: wholeNumber(1),
  title: stringWithRule((title) => textProblem(title) ?? storedTextProblem('title', title)),
  content: orNull(text),
  translation_option: z
    .enum(['0', '1', '2', '3', ''], 'must be one of "0", "1", "2", "3", ""')
    .nullish()
    .transform((option) => option || null),
  status: z.literal([0, 3], 'must be 0 (draft) or 3 (published)').optional(),
  description: stringWithRule((text) => textProblem(text) ?? storedTextProblem('description', text)).nullish(),
  created_at: time.nullish(),
  created_by: id.nullish(),
  authors: list(id).optional(),
});

const article = entry({
  versions: list(importedVersion, z.array(importedVersion, 'must be a list').min(1, 'must have at least one entry')),
  id,
  project_version_id: id,
  category_id: orNull(id),
  slug: orNull(text),
  order,
  hidden: flag,
  content_type: z.enum(['markdown', 'wysiwyg', 'block'], 'must be one of "markdown", "wysiwyg", "block"'),
  url: stringWithRule((text) => textProblem(text) ?? storedTextProblem('description', text)).nullish(),
  public_version: z
    .record(id, wholeNumber(1), 'must be an object of version numbers by language code')
    .optional()
    .meta({ description: 'The number of the published version that readers see, by language code.' }),
});

/** The team account that every store has, so that a write can name one. A file may refer to it without having it. */
export const STORE_ACCOUNT = {
  user_id: 'embedded-store',
  first_name: null,
  last_name: 'Embedded store',
} as const;

/** True for the account of every store, unless an import has given it another name. */
export const isStoreAccount = ({ user_id, first_name, last_name }: KnowledgeBase['team_accounts'][number]): boolean =>
  user_id === STORE_ACCOUNT.user_id && first_name === STORE_ACCOUNT.first_name && last_name === STORE_ACCOUNT.last_name;

const teamAccount = entry({ user_id: id, first_name: orNull(text), last_name: orNull(text) });

const reader = entry({ reader_id: id, first_name: orNull(text), last_name: orNull(text), email: orNull(text) });

const invitedSsoUser = entry({ invitation_id: id, email: orNull(text) });

const readerGroup = entry({
  reader_group_id: id,
  title: stringWithRule((title) => readerGroupTitleProblem(title) ?? storedTextProblem('title', title)),
  description: stringWithRule((text) => textProblem(text) ?? storedTextProblem('description', text)).nullish(),
  associated_readers: list(id).nullish(),
  associated_invited_sso_users: list(id).nullish(),
  access_scope: accessScope,
}).transform(
  (raw): WholeReaderGroupUpdate => ({
    groupId: raw.reader_group_id,
    title: raw.title,
    description: raw.description ?? null,
    readerIds: raw.associated_readers ?? [],
    invitedSsoUserIds: raw.associated_invited_sso_users ?? [],
    accessScope: raw.access_scope,
  }),
);

export const ENTRIES = {
  project_versions: projectVersion,
  languages: language,
  categories: category,
  team_accounts: teamAccount,
  articles: article,
  readers: reader,
  invited_sso_users: invitedSsoUser,
  reader_groups: readerGroup,
};

/** The document of the import format: see docs/contract.md, "Import format". */
export const knowledgeBaseDocument = entry({
  source: text.nullish().meta({ description: 'Where the content comes from. An export writes it again.' }),
  project_versions: entriesOf(projectVersion),
  languages: entriesOf(language),
  categories: entriesOf(category),
  team_accounts: entriesOf(teamAccount),
  articles: entriesOf(article),
  readers: entriesOf(reader),
  invited_sso_users: entriesOf(invitedSsoUser),
  reader_groups: entriesOf(readerGroup),
});

/** The text of the file `knowledge-base.schema.json`: the format as JSON Schema, without the references in it. */
export function printKnowledgeBaseJsonSchema(): string {
  const { $schema, ...schema } = z.toJSONSchema(knowledgeBaseDocument, { io: 'input' });
  const title = 'A knowledge base in the import format of kb-gateway';
  return `${JSON.stringify({ $schema, title, ...schema }, null, 2)}\n`;
}

type Unchanged<T> = T extends readonly (infer Entry)[]
  ? readonly Unchanged<Entry>[]
  : { readonly [Member in keyof T]: Unchanged<T[Member]> };

/** A whole knowledge base, as its document has it, but for the reader groups. Entries refer to other entries of it alone. */
export type KnowledgeBase = Unchanged<z.output<typeof knowledgeBaseDocument>>;

export type KnowledgeBaseLists = Omit<KnowledgeBase, 'source'>;

export type ImportedCategory = KnowledgeBase['categories'][number];
export type ImportedArticle = KnowledgeBase['articles'][number];
export type ImportedVersion = ImportedArticle['versions'][number];
