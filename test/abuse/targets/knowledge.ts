import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { list } from '../../support/repeat.ts';

/** A knowledge base in the import format, as far as these tests read it. */
export interface KnowledgeFile {
  readonly project_versions: readonly { readonly id: string }[];
  readonly languages: readonly object[];
  readonly categories: readonly { readonly id: string }[];
  readonly articles: readonly { readonly id: string; readonly slug: string | null }[];
  readonly readers: readonly { readonly reader_id: string; readonly email: string }[];
  readonly invited_sso_users: readonly { readonly invitation_id: string }[];
  readonly reader_groups: readonly { readonly reader_group_id: string }[];
}

const REAL = '../shared/data/astro-docs.kb.json.gz';

/** A real knowledge base if its file exists, else one of the same size; with groups that are expensive for a store. */
export async function readKnowledge(): Promise<KnowledgeFile> {
  const compressed = await readFile(REAL).catch(() => null);
  const base: KnowledgeFile = compressed ? JSON.parse((await promisify(gunzip)(compressed)).toString()) : madeUp();
  return withLargeGroups(base);
}

const MEMBERS = 5_000;
const LARGE_GROUPS = 20;
const SCOPE_ENTRIES = 50_000;

/** Adds groups with as many members as a page of the service holds, and one whose scope has the longest list. */
function withLargeGroups(base: KnowledgeFile): KnowledgeFile {
  const readers = list(MEMBERS, (n) => ({
    reader_id: `reader-${n}`,
    first_name: 'Large',
    last_name: `${n}`,
    email: `reader-${n}@example.com`,
  }));
  const [projectVersion] = base.project_versions;
  const entry = (n: number) => ({
    project_version_id: projectVersion?.id,
    category_id: base.categories[n % base.categories.length]?.id,
    language_code: 'en',
  });
  const group = (id: string, memberIds: readonly string[], scope: object) => ({
    reader_group_id: id,
    title: `Large ${id}`,
    description: 'x'.repeat(2_000),
    associated_readers: memberIds,
    associated_invited_sso_users: [],
    access_scope: { access_level: 3, categories: null, project_versions: null, languages: null, ...scope },
  });
  const all = readers.map(({ reader_id }) => reader_id);
  return {
    ...base,
    readers: [...base.readers, ...readers],
    reader_groups: [
      group('a-scope', [], { access_level: 1, categories: list(SCOPE_ENTRIES, entry) }),
      ...list(LARGE_GROUPS, (n) => group(`b-members-${n}`, all, {})),
      ...base.reader_groups,
    ],
  };
}

const SIZES = { articles: 420, categories: 24, fanOut: 7, readers: 137, groups: 17, characters: 6_400 };

/** A generated knowledge base of the same size as the real one. */
function madeUp(): KnowledgeFile {
  const version = (lang_code: string) => ({
    lang_code,
    version_number: 1,
    title: `An article in ${lang_code}`,
    content: 'Not all of it is ASCII – as it is. '.repeat(SIZES.characters / 35),
    translation_option: '0',
  });
  return {
    project_versions: [{ id: 'v1', ...{ name: 'v1', is_default: true } }],
    languages: ['en', 'fr', 'es', 'ja'].map((code) => ({
      code,
      name: code,
      is_default: code === 'en',
      project_version_id: 'v1',
    })),
    categories: list(SIZES.categories, (n) => ({
      id: `category-${n}`,
      project_version_id: 'v1',
      parent_category_id: n === 0 ? null : `category-${Math.floor((n - 1) / SIZES.fanOut)}`,
      name: `Category ${n}`,
      order: 1,
    })),
    articles: list(SIZES.articles, (n) => ({
      id: `article-${n}`,
      project_version_id: 'v1',
      category_id: `category-${n % SIZES.categories}`,
      slug: `article-${n}`,
      order: 1,
      hidden: false,
      content_type: 'markdown',
      versions: ['en', 'fr', 'es'].map(version),
    })),
    readers: list(SIZES.readers, (n) => ({
      reader_id: `person-${n}`,
      first_name: 'A',
      last_name: `${n}`,
      email: `person-${n}@example.com`,
    })),
    invited_sso_users: [{ invitation_id: 'invited-1', ...{ email: 'invited-1@example.com' } }],
    reader_groups: list(SIZES.groups, (n) => ({
      reader_group_id: `group-${n}`,
      title: `Group ${n}`,
      description: null,
      associated_readers: ['person-1', `person-${2 + n}`],
      associated_invited_sso_users: [],
      access_scope: { access_level: 0, categories: null, project_versions: null, languages: null },
    })),
  };
}
