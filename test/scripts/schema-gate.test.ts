import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parse, print, visit } from 'graphql';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { type Changeset, parseChangeset, problemOf } from '../../scripts/schema-gate/changesets.ts';
import { schemaChanges } from '../../scripts/schema-gate/schema-changes.ts';
import { subgraphChanges, subgraphDirectives } from '../../scripts/schema-gate/subgraph-changes.ts';
import { printSubgraphSdl } from '../../src/graphql/schema/schema.ts';
import { INTEGRATIONS, NEEDS_INTEGRATIONS } from '../support/mounts.ts';

const SCHEMA = readFileSync('schema.graphql', 'utf8');

/** The schema without descriptions, in which a member is one line. */
const BARE = print(
  visit(parse(SCHEMA), {
    enter: (node) => ('description' in node ? { ...node, description: undefined } : undefined),
  }),
);

/** A schema with another text in the place of one, which it has exactly once. */
function edited(schema: string, text: string, replacement: string): string {
  if (schema.split(text).length !== 2) throw new Error(`The schema has ${text} not exactly once.`);
  return schema.replace(text, () => replacement);
}

const SUBGRAPH = subgraphDirectives(printSubgraphSdl());

const changesetOf = (bump: string, text: string, packageName = 'kb-gateway') =>
  parseChangeset('change.md', `---\n"${packageName}": ${bump}\n---\n\n${text}\n`, 'kb-gateway');

async function problemsOf(current: string, changesets: readonly Changeset[] = [], released = BARE) {
  const problems = (await schemaChanges(released, current)).map((change) => problemOf(change, changesets));
  return problems.filter((problem) => problem !== null);
}

const ofInterface = (name: string) => {
  const fields = new RegExp(`^interface ${name} (\\{.*?^\\})`, 'msu').exec(BARE)?.[1];
  return `type Later implements ${name} ${fields}`;
};

const BULK_RESULT = 'union BulkUpdateArticlesResult =';

type Case = readonly [name: string, current: string, bump: 'minor' | 'major', asked: readonly string[]];

const INPUTS: readonly Case[] = [
  ['an input loses @oneOf', edited(BARE, 'ScopeInput @oneOf', 'ScopeInput'), 'major', ['`AccessScopeInput`']],
  [
    'an input gains @oneOf',
    edited(BARE, 'input ArticleFilter', 'input ArticleFilter @oneOf'),
    'major',
    ['`ArticleFilter`'],
  ],
  [
    'an input has a new required field',
    edited(BARE, 'input ArticleFilter {', 'input ArticleFilter { later: Int!'),
    'major',
    ['`ArticleFilter.later`'],
  ],
  [
    'an input has a new optional field',
    edited(BARE, 'input ArticleFilter {', 'input ArticleFilter { later: Int'),
    'minor',
    ['`ArticleFilter.later`'],
  ],
  [
    'a field has a new required argument',
    edited(BARE, 'rateLimit: RateLimit', 'rateLimit(later: ID!): RateLimit'),
    'major',
    ['`Query.rateLimit(later:)`'],
  ],
  [
    'a field has a new optional argument',
    edited(BARE, 'rateLimit: RateLimit', 'rateLimit(later: ID): RateLimit'),
    'minor',
    ['`Query.rateLimit(later:)`'],
  ],
  [
    'a deprecated input field is removed',
    BARE.replace(/^ *htmlContent: String @deprecated.*\n/mu, ''),
    'major',
    ['`ArticleUpdateInput.htmlContent`'],
  ],
  [
    'an input field is no longer deprecated',
    BARE.replace(/ @deprecated\(.*\)$/mu, ''),
    'minor',
    ['`ArticleUpdateInput.htmlContent`'],
  ],
];

const ANSWERS: readonly Case[] = [
  [
    'a result gains an error',
    `${edited(BARE, BULK_RESULT, `${BULK_RESULT} Later |`)}\n${ofInterface('MutationError')}`,
    'minor',
    ['`Later`', '`MutationError` and `Later`', '`BulkUpdateArticlesResult` and `Later`'],
  ],
  [
    'a result gains a type of which a client can read nothing in its default case',
    `${edited(BARE, BULK_RESULT, `${BULK_RESULT} Later |`)}\ntype Later { position: Int! }`,
    'major',
    ['`Later`', '`BulkUpdateArticlesResult` and `Later`'],
  ],
  [
    'the outcome of an item has another type',
    `${BARE}\n${ofInterface('ArticleUpdateOutcome')}`,
    'minor',
    ['`Later`', '`ArticleUpdateOutcome` and `Later`'],
  ],
  [
    'a result loses an error',
    edited(BARE, `${BULK_RESULT} AuthenticationError |`, BULK_RESULT),
    'major',
    ['`BulkUpdateArticlesResult`'],
  ],
  [
    'an enum of an answer gains a value',
    edited(BARE, 'enum NotAttemptedReason {', 'enum NotAttemptedReason { LATER'),
    'minor',
    ['`NotAttemptedReason.LATER`'],
  ],
  [
    'a field of an answer becomes nullable',
    edited(BARE, 'hasNextPage: Boolean!', 'hasNextPage: Boolean'),
    'major',
    ['`PageInfo.hasNextPage`'],
  ],
  [
    'the type of a field changes',
    edited(BARE, 'rateLimit: RateLimit', 'rateLimit: Int'),
    'major',
    ['`Query.rateLimit`'],
  ],
  [
    'a type no longer implements an interface',
    edited(BARE, 'type ProjectVersion implements Node', 'type ProjectVersion'),
    'major',
    ['`ProjectVersion`'],
  ],
  [
    'a field is deprecated',
    edited(BARE, 'rateLimit: RateLimit', 'rateLimit: RateLimit @deprecated(reason: "Later.")'),
    'minor',
    ['`Query.rateLimit`'],
  ],
  ['a directive is added', `${BARE}\ndirective @later(after: Int) on FIELD`, 'minor', ['`@later`']],
];

const LOWER = { minor: 'patch', major: 'minor' };

const DESCRIPTIONS = [
  [
    'a value',
    edited(SCHEMA, 'Level 2 of the service: the listed project versions.', 'Level 2.'),
    '`AccessLevel.VERSION`',
  ],
  ['the schema', edited(SCHEMA, 'Every write has a typed outcome.', 'Every write has an outcome.'), '`schema`'],
] as const;

describe('the schema gate', () => {
  it.each([...INPUTS, ...ANSWERS])(
    'fails until a changeset mentions that %s',
    { tags: 'long' },
    async (...[, current, bump, asked]) => {
      const missing = await problemsOf(current);
      expect([...new Set(missing)].sort()).toEqual(asked.map((names) => `no changeset mentions ${names}`).sort());
      const text = `Changes ${asked.join(', ')}.`;
      expect(await problemsOf(current, [changesetOf(LOWER[bump], text)])).toContain(`change.md must be ${bump}`);
      expect(await problemsOf(current, [changesetOf(bump, text)])).toEqual([]);
    },
  );

  it.each(DESCRIPTIONS)('fails until a changeset mentions a new description of %s', async (_, current, asked) => {
    expect(await problemsOf(current, [], SCHEMA)).toEqual([`no changeset mentions ${asked}`]);
    expect(await problemsOf(current, [changesetOf('patch', `Describes ${asked}.`)], SCHEMA)).toEqual([]);
  });

  it('permits the mention of a type for the descriptions of its members', async () => {
    const [[, current]] = DESCRIPTIONS;
    expect(await problemsOf(current, [changesetOf('patch', 'Describes `AccessLevel`.')], SCHEMA)).toEqual([]);
  });

  it.each([
    ['a field', edited(BARE, 'rateLimit: RateLimit', '')],
    ['an argument', edited(BARE, 'articleUpdateJob(id: ID!)', 'articleUpdateJob')],
    ['an input field', edited(BARE, 'level: ScopeLevel', '')],
    ['a value', edited(BARE, '  AFTER_UNKNOWN\n', '')],
  ])('never permits the removal of %s that was not deprecated', { tags: 'long' }, async (_, current) => {
    const changesets = [changesetOf('major', 'Removes everything.')];
    expect(await problemsOf(current, changesets)).toContain('it was not deprecated in the last release');
  });

  const RETYPED = edited(BARE, 'rateLimit: RateLimit', 'rateLimit: Int');

  it.each([
    ['of another package', changesetOf('major', 'Changes `Query.rateLimit`.', 'another')],
    ['with a longer name', changesetOf('major', 'Changes `Query.rateLimits` and `Old.Query.rateLimit`.')],
    ['without a head', parseChangeset('change.md', 'Changes `Query.rateLimit`.', 'kb-gateway')],
  ])('is not satisfied by a changeset %s', { tags: 'long' }, async (_, changeset) => {
    expect(await problemsOf(RETYPED, [changeset])).toHaveLength(1);
  });
});

describe('the schema gate, for the subgraph', () => {
  const KEY = 'Article @key(fields: "articleId languageCode")';

  it.each([
    ['a key is removed', KEY, [], 'major', '`Article`'],
    ['a key has other fields', KEY, ['Article @key(fields: "articleId")'], 'major', '`Article`'],
    ['a type is no longer shared', 'PageInfo @shareable', [], 'major', '`PageInfo`'],
    ['a type has one key more', KEY, [KEY, 'Article @key(fields: "slug")'], 'minor', '`Article`'],
  ] as const)('fails until a changeset mentions that %s', { tags: 'long' }, (...[, line, inItsPlace, bump, asked]) => {
    const changes = subgraphChanges(
      SUBGRAPH,
      SUBGRAPH.flatMap((other) => (other === line ? inItsPlace : [other])),
    );
    const problemsWith = (changesets: readonly Changeset[]) =>
      changes.map((change) => problemOf(change, changesets)).filter((problem) => problem !== null);
    expect(new Set(problemsWith([]))).toEqual(new Set([`no changeset mentions ${asked}`]));
    expect(problemsWith([changesetOf(LOWER[bump], `Changes ${asked}.`)])).toEqual([`change.md must be ${bump}`]);
    expect(problemsWith([changesetOf(bump, `Changes ${asked}.`)])).toEqual([]);
  });
});

describe('the commands of the schema gate', NEEDS_INTEGRATIONS, () => {
  const folder = mkdtempSync(join(tmpdir(), 'kb-gateway-schema-gate-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  const write = (file: string, text: string) => writeFileSync(join(folder, file), text);

  const runNode = (...args: string[]) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' });
    return { status, stdout, stderr };
  };

  const run = (...args: string[]) => runNode(resolve('scripts/schema-gate.ts'), ...args);

  beforeAll(() => {
    mkdirSync(join(folder, '.changeset'));
    write('package.json', JSON.stringify({ name: 'kb-gateway', version: '0.1.0' }));
    write('.changeset/config.json', JSON.stringify({ changelog: join(INTEGRATIONS, '@changesets/cli/changelog') }));
    write('.changeset/README.md', '`Query.rateLimit` is no change here.');
    write('.changeset/released.graphql', `# The schema of version 0.1.0\n${BARE}`);
    write('.changeset/released-subgraph.txt', '');
    write('schema.graphql', edited(BARE, 'rateLimit: RateLimit', 'rateLimit: Int'));
  });

  it('print what is new since the last commit apart from what a changeset mentions already', () => {
    const repository = mkdtempSync(join(tmpdir(), 'kb-gateway-gate-'));
    onTestFinished(() => rmSync(repository, { recursive: true }));
    cpSync(folder, repository, { recursive: true });
    const git = (...args: string[]) =>
      execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b.test', ...args], { cwd: repository });
    const both = 'Adds `Query.later`, `Query.latest`, `PageInfo` and all keys.';
    writeFileSync(join(repository, '.changeset/later.md'), `---\n"kb-gateway": minor\n---\n\n${both}\n`);
    const later = edited(BARE, 'rateLimit: RateLimit', 'rateLimit: RateLimit later: Int');
    writeFileSync(join(repository, 'schema.graphql'), later);
    git('init', '--quiet');
    git('add', '.');
    git('commit', '--quiet', '--message', 'Later');
    writeFileSync(join(repository, 'schema.graphql'), edited(later, 'later: Int', 'later: Int latest: Int'));
    const gate = resolve('scripts/schema-gate.ts');
    const { stdout } = spawnSync(process.execPath, [gate], { cwd: repository, encoding: 'utf8' });
    expect(stdout).toContain("'latest'");
    expect(stdout).not.toContain("'later'");
    expect(stdout).toContain('1 of them since the last commit.');
  });

  // Each step begins with what the one before it left.
  it('lead from a change to the next release', { tags: 'long' }, () => {
    const before = run();
    expect(before).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(/^major: .*'Query.rateLimit'.*: no changeset mentions `Query.rateLimit`\n/u),
    });
    expect(before.stderr).toContain(
      '@shareable was added to PageInfo in the subgraph: no changeset mentions `PageInfo`',
    );
    expect(run('--release')).toMatchObject({ status: 1, stderr: expect.stringContaining('of 0.1.0 already') });
    write('.changeset/change.md', '---\n"kb-gateway": major\n---\n\nChanges `Query.rateLimit`.\n');
    const names = SUBGRAPH.map((line) => `\`${line.split(' ', 1)}\``).join(', ');
    write('.changeset/subgraph.md', `---\n"kb-gateway": minor\n---\n\nAdds a subgraph: ${names}.\n`);
    expect(run()).toMatchObject({
      status: 0,
      stdout: expect.stringContaining(`\n${SUBGRAPH.length + 1} changes `),
      stderr: '',
    });
    expect(runNode(join(INTEGRATIONS, '@changesets/cli/bin.js'), 'version')).toMatchObject({ status: 0 });
    expect(readFileSync(join(folder, 'CHANGELOG.md'), 'utf8')).toMatch(/^## 1\.0\.0$.*`Query\.rateLimit`/msu);
    expect(run()).toMatchObject({ status: 1, stderr: expect.stringContaining('run npm run schema:release') });
    expect(run('--release')).toMatchObject({ status: 0, stderr: '' });
    expect(run()).toEqual({
      status: 0,
      stdout: '0 changes of the schema since 1.0.0, 0 of them since the last commit.\n',
      stderr: '',
    });
  });
});
