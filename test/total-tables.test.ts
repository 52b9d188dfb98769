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

const CODEC = 'state/codec.ts';

const NEW_MEMBERS: readonly NewMember[] = [
  {
    name: 'memberOfAnArticleUpdate',
    file: 'domain/articles/bulk-updates.ts',
    after: 'export interface ArticleUpdate {',
    places: [
      CODEC,
      // Its rule, its comparison in previews and read-backs, and the reads that tell it.
      'domain/articles/bulk-updates.ts',
      'v2/bulk-updates.ts',
      'cli/bulk-update/article-rows.ts',
      'backend/local/writes/article-changes.ts',
      'schema/articles/bulk-updates.ts',
      'schema/field-changes.ts',
    ],
  },
  {
    name: 'newWrite',
    type: '(caller: Caller, update: ReaderGroupUpdate) => BackendResult<CompletedReaderGroupUpdate>',
    file: 'backend/backend.ts',
    after: 'export interface Writes {',
    places: [
      // Its scope, its counts, its lines of the audit log, its cost, what a key keeps, and what it makes stale.
      'backend/writes/declarations.ts',
      'backend/writes/merging.ts',
      'backend/writes/pipeline.ts',
      'execution/cost/upstream-costs.ts',
      'backend/local/local-backend.ts',
      'backend/rest/rest-backend.ts',
    ],
  },
  {
    name: 'readWithoutResult',
    type: '(caller: Caller) => Promise<number>',
    isOptional: true,
    file: 'backend/backend.ts',
    after: 'interface ReaderReads {',
    // Resolvers see no promise that may be rejected by a failure of the backend.
    places: ['schema/context.ts'],
  },
  {
    name: 'countWithoutResult',
    type: '() => Promise<number>',
    isOptional: true,
    file: 'base/pages.ts',
    after: 'export interface PageOf<T, Count> {',
    places: ['schema/context.ts'],
  },
  {
    name: 'memberOfAWriteOfItems',
    file: 'domain/articles/article-outcomes.ts',
    after: 'export interface CompletedItems<Outcome> extends Notices {',
    places: [CODEC],
  },
  ...['Updated', 'Failed', 'Unknown', 'NotAttempted'].map((name) => ({
    name: `memberOf${name}`,
    file: 'domain/articles/article-outcomes.ts',
    after: `interface ${name} {`,
    places: [CODEC],
  })),
  {
    name: 'memberOfAnError',
    file: 'domain/errors.ts',
    after: 'interface BackendErrorDetails {',
    places: [CODEC],
  },
  {
    name: 'memberOfAReaderGroupUpdate',
    file: 'domain/reader-groups/reader-group-updates.ts',
    after: 'export interface ReaderGroupUpdate {',
    places: [
      'domain/reader-groups/reader-group-updates.ts',
      'domain/reader-groups/reader-group-updates.ts',
      'domain/reader-groups/reader-group-updates.ts',
    ],
  },
  {
    name: 'memberOfAGroupAnswer',
    file: 'domain/reader-groups/reader-group-updates.ts',
    after: 'export interface CompletedReaderGroupUpdate extends Notices {',
    places: [CODEC],
  },
  {
    name: 'memberOfMembersChanges',
    file: 'domain/reader-groups/reader-group-updates.ts',
    after: 'export interface MembersChange {',
    places: [CODEC],
  },
  {
    name: 'memberOfANotice',
    file: 'domain/notices.ts',
    after: 'export interface Notice {',
    places: [CODEC],
  },
  {
    name: 'optionWithoutASetting',
    file: 'gateway/gateway-options.ts',
    after: 'export interface LimitOptions {',
    places: ['gateway/read-options.ts'],
  },
];

const copy = mkdtempSync(join(tmpdir(), 'kb-total-tables-'));
let errors: readonly string[] = [];

/** A copy of src gets all the new members, and is compiled once. */
beforeAll(() => {
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

describe.each(NEW_MEMBERS)('a new member of a type: $name', ({ name, places }) => {
  it.each([...new Set(places)])('breaks the build in %s', (place) => {
    const broken = errors.filter((error) => error.startsWith(`src/${place}(`) && error.includes(name));
    expect(broken.length).toBeGreaterThanOrEqual(places.filter((other) => other === place).length);
  });
});

it('breaks the build nowhere else', () => {
  const places = NEW_MEMBERS.flatMap(({ name, places: named }) => named.map((place) => [name, place] as const));
  const isNamed = (error: string) =>
    places.some(([name, place]) => error.startsWith(`src/${place}(`) && error.includes(name));
  expect(errors.filter((error) => error.startsWith('src/') && !isNamed(error))).toEqual([]);
});
