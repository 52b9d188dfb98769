import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

interface NewMember {
  readonly name: string;
  /** The file of the type, and the line before the new member. */
  readonly file: string;
  readonly after: string;
  /** The type of a member that has to be there. Others are optional, so that no other code breaks. */
  readonly type?: string;
  /** True for a member that need not be there although it has a type. */
  readonly isOptional?: boolean;
  /** The files in which the build breaks, each as often as it breaks there at least. */
  readonly places: readonly string[];
}

const CODEC = 'core/writes/codec.ts';

const NEW_MEMBERS: readonly NewMember[] = [
  {
    name: 'memberOfAnArticleUpdate',
    file: 'core/articles/bulk-updates.ts',
    after: 'export interface ArticleUpdate {',
    places: [
      // The update, its snapshot, and the values that a revert compares.
      CODEC,
      CODEC,
      CODEC,
      // Its rule, its comparison in previews and read-backs, and the reads that tell it; and that the article has it.
      'core/articles/bulk-updates.ts',
      'core/articles/bulk-updates.ts',
      'service/v2/bulk-updates.ts',
      'service/v2/articles.ts',
      'cli/bulk-update/article-rows.ts',
      'cli/bulk-update/export-csv.ts',
      'store/writes/article-changes.ts',
      'graphql/schema/articles/bulk-updates.ts',
      'graphql/schema/field-changes.ts',
      'graphql/schema/articles/article-outcomes.ts',
      // What a revert puts back, and what it tells that it does not.
      'core/articles/article-reverts.ts',
      'graphql/schema/article-update-job-reverts.ts',
    ],
  },
  {
    name: 'newWrite',
    type: '(caller: Caller, update: ReaderGroupUpdate) => BackendResult<CompletedReaderGroupUpdate>',
    file: 'core/backend.ts',
    after: 'export interface Writes {',
    places: [
      // Its scope, its counts, its lines of the audit log, its cost, what a key keeps, and what it makes stale.
      'core/writes/declarations.ts',
      'core/writes/pipeline.ts',
      'graphql/execution/cost/upstream-costs.ts',
      'store/local-backend.ts',
      'service/rest-backend.ts',
    ],
  },
  {
    name: 'readWithoutResult',
    type: '(caller: Caller) => Promise<number>',
    isOptional: true,
    file: 'core/backend.ts',
    after: 'interface ReaderReads {',
    // Resolvers see no promise that may be rejected by a failure of the backend.
    places: ['graphql/schema/context.ts'],
  },
  {
    name: 'countWithoutResult',
    type: '() => Promise<number>',
    isOptional: true,
    file: 'core/base/pages.ts',
    after: 'export interface PageOf<T, Count> {',
    places: ['graphql/schema/context.ts'],
  },
  {
    name: 'memberOfAWriteOfItems',
    file: 'core/articles/article-outcomes.ts',
    after: 'export interface CompletedItems<Outcome> extends Notices {',
    places: [CODEC],
  },
  ...['Updated', 'Failed', 'Unknown', 'NotAttempted'].map((name) => ({
    name: `memberOf${name}`,
    file: 'core/articles/article-outcomes.ts',
    after: `interface ${name} extends ForkedItem {`,
    places: [CODEC],
  })),
  {
    name: 'memberOfAnError',
    file: 'core/errors.ts',
    after: 'interface BackendErrorDetails {',
    places: [CODEC],
  },
  {
    name: 'memberOfAReaderGroupUpdate',
    file: 'core/reader-groups/reader-group-updates.ts',
    after: 'export interface ReaderGroupUpdate {',
    places: [
      'core/reader-groups/reader-group-updates.ts',
      'core/reader-groups/reader-group-updates.ts',
      'core/reader-groups/reader-group-updates.ts',
    ],
  },
  {
    name: 'memberOfAGroupAnswer',
    file: 'core/reader-groups/reader-group-updates.ts',
    after: 'export interface CompletedReaderGroupUpdate extends Notices {',
    places: [CODEC],
  },
  {
    name: 'memberOfMembersChanges',
    file: 'core/reader-groups/reader-group-updates.ts',
    after: 'export interface MembersChange {',
    places: [CODEC],
  },
  {
    name: 'memberOfANotice',
    file: 'core/notices.ts',
    after: 'export interface Notice {',
    places: [CODEC],
  },
  {
    name: 'optionWithoutASetting',
    file: 'server/gateway/gateway-options.ts',
    after: 'export interface LimitOptions {',
    places: ['server/gateway/read-options.ts'],
  },
];

let copy: string;
let errors: readonly string[] = [];

/** A copy of src gets all the new members, and is compiled once. */
beforeAll(() => {
  copy = mkdtempSync(join(tmpdir(), 'kb-total-tables-'));
  cpSync('src', join(copy, 'src'), { recursive: true });
  cpSync('package.json', join(copy, 'package.json'));
  symlinkSync(resolve('node_modules'), join(copy, 'node_modules'));
  for (const { name, file, after, type, isOptional = false } of NEW_MEMBERS) {
    const path = join(copy, 'src', file);
    const text = readFileSync(path, 'utf8');
    if (!text.includes(`${after}\n`)) throw new Error(`${file} has no line "${after}".`);
    const member =
      type === undefined ? `${name}?: readonly string[] | undefined` : `${name}${isOptional ? '?' : ''}: ${type}`;
    writeFileSync(path, text.replace(`${after}\n`, `${after}\n  readonly ${member};\n`));
  }
  const files = [...new Set(NEW_MEMBERS.flatMap(({ places }) => places))].map((place) => join('src', place));
  const config = { extends: resolve('tsconfig.json'), compilerOptions: { types: ['node'] }, include: [], files };
  writeFileSync(join(copy, 'tsconfig.json'), JSON.stringify(config));
  const { stdout } = spawnSync(resolve('node_modules/.bin/tsc'), ['-p', '.', '--pretty', 'false'], {
    cwd: copy,
    encoding: 'utf8',
  });
  errors = stdout.split(/\n(?=\S)/u);
});

afterAll(() => rmSync(copy, { recursive: true }));

describe.each(NEW_MEMBERS)('a new member of a type: $name', { tags: 'long' }, ({ name, places }) => {
  it.each([...new Set(places)])('breaks the build in %s', (place) => {
    const broken = errors.filter((error) => error.startsWith(`src/${place}(`) && error.includes(name));
    expect(broken.length).toBeGreaterThanOrEqual(places.filter((other) => other === place).length);
  });
});

it('breaks the build nowhere else', { tags: 'long' }, () => {
  const places = NEW_MEMBERS.flatMap(({ name, places: named }) => named.map((place) => [name, place] as const));
  const isNamed = (error: string) =>
    places.some(([name, place]) => error.startsWith(`src/${place}(`) && error.includes(name));
  expect(errors.filter((error) => error.startsWith('src/') && !isNamed(error))).toEqual([]);
});
