/**
 * Compares schema.graphql, and what Federation adds to it, with the last release: a changeset must mention every change,
 * and its release must be large enough for the change. Prints the changes since the last commit, all where there is no
 * commit, and each that a changeset lacks. With `--release`, the schema becomes that of the last release.
 */
import { spawnSync } from 'node:child_process';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { printSubgraphSdl } from '../src/graphql/schema/schema.ts';
import { parseChangeset, problemOf } from './schema-gate/changesets.ts';
import { schemaChanges } from './schema-gate/schema-changes.ts';
import { subgraphChanges, subgraphDirectives } from './schema-gate/subgraph-changes.ts';

const RELEASED = '.changeset/released.graphql';
const RELEASED_SUBGRAPH = '.changeset/released-subgraph.txt';

const read = (file: string): string => readFileSync(file, 'utf8');

const { name, version }: { name: string; version: string } = JSON.parse(read('package.json'));
const released = read(RELEASED);
const current = read('schema.graphql');
const directives = subgraphDirectives(printSubgraphSdl());
const releasedVersion = /^# The schema of version (?<version>\S+)\n/u.exec(released)?.groups?.['version'];

function fail(message: string): void {
  console.error(message);
  process.exitCode = 1;
}

function release(): void {
  if (releasedVersion === version) {
    fail(`${RELEASED} is the schema of ${version} already: a release raises the version in package.json first.`);
  } else {
    writeFileSync(RELEASED, `# The schema of version ${version}\n${current}`);
    writeFileSync(RELEASED_SUBGRAPH, directives.map((line) => `${line}\n`).join(''));
  }
}

/** The messages of the changes of the last commit since the release; empty where there is no commit. */
async function committedChanges(): Promise<ReadonlySet<string>> {
  const { status, stdout } = spawnSync('git', ['show', 'HEAD:schema.graphql'], { encoding: 'utf8' });
  return new Set(status === 0 ? (await schemaChanges(released, stdout)).map(({ message }) => message) : []);
}

async function compare(): Promise<void> {
  if (releasedVersion !== version) {
    fail(`${RELEASED} has version ${releasedVersion} and package.json ${version}: run npm run schema:release`);
    return;
  }
  const changesets = globSync('.changeset/*.md')
    .filter((file) => basename(file) !== 'README.md')
    .sort()
    .map((file) => parseChangeset(file, read(file), name));
  const releasedDirectives = read(RELEASED_SUBGRAPH).split('\n').filter(Boolean);
  const ofSchema = await schemaChanges(released, current);
  const changes = [...ofSchema, ...subgraphChanges(releasedDirectives, directives)];
  const committed = await committedChanges();
  const added = new Set(ofSchema.filter(({ message }) => !committed.has(message)));
  for (const change of changes) {
    const problem = problemOf(change, changesets);
    const line = `${change.bump}: ${change.message}`;
    if (problem !== null) fail(`${line}: ${problem}`);
    else if (added.has(change)) console.log(line);
  }
  console.log(`${changes.length} changes of the schema since ${version}, ${added.size} of them since the last commit.`);
}

if (process.argv.includes('--release')) release();
else await compare();
