import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import { INTEGRATIONS } from '../../../../test/support/mounts.ts';
import { needs } from '../../../../test/support/needs.ts';

/** The lines of docs/clients.md, by their tools. */
const LINES = new Map(
  [
    ...(await readFile('docs/clients.md', 'utf8')).matchAll(
      /^\| \[?(?<tool>[\w. ]+)\b.*\| `(?<line>kb-gateway .+)` \|$/gmu,
    ),
  ].map(({ groups }) => [groups?.['tool'] ?? '', groups?.['line'] ?? '']),
);

/** What each tool writes, and a text that it has of the schema. */
const WRITTEN = [
  { tool: 'GraphQL Code Generator', file: 'src/generated/graphql.ts', text: 'export type TitlesQuery' },
  { tool: 'genql', file: 'src/genql/schema.ts', text: 'BulkUpdateArticlesPayload' },
  { tool: 'gql.tada', file: 'graphql-env.d.ts', text: 'BulkUpdateArticlesPayload' },
  { tool: 'Relay', file: 'src/generated/pageTitlesQuery.graphql.ts', text: 'export type pageTitlesQuery' },
];

const TITLES = '{ articles(first: 2) { nodes { articleId title } } }';

/** A folder of a program that has the tools, and `kb-gateway` on its path. */
async function openProgram(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'kb-gateway-generators-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  for (const name of ['bin', 'src/generated']) await mkdir(join(folder, name), { recursive: true });
  await symlink(INTEGRATIONS, join(folder, 'node_modules'));
  const command = `#!/bin/sh\nexec '${process.execPath}' '${resolve('src/main.ts')}' "$@"\n`;
  await writeFile(join(folder, 'bin/kb-gateway'), command, { mode: 0o755 });
  for (const path of ['client-preset/codegen.json', 'relay/relay.config.json', 'gql-tada/program/introspection.ts'])
    await copyFile(`integrations/test/clients/${path}`, join(folder, path.split('/').at(-1) ?? path));
  await writeFile(join(folder, 'package.json'), '{ "private": true, "type": "module" }');
  await writeFile(join(folder, 'src/titles.graphql'), `query Titles ${TITLES}`);
  await writeFile(
    join(folder, 'src/page.ts'),
    `import { graphql } from 'relay-runtime';\nexport const titles = graphql\`query pageTitlesQuery ${TITLES}\`;\n`,
  );
  return folder;
}

describe('the lines for generators', () => {
  it('are for these tools', () => {
    expect([...LINES.keys()]).toEqual(WRITTEN.map(({ tool }) => tool));
  });

  const isInstalled = existsSync(join(INTEGRATIONS, '@genql'));
  const newest = needs(isInstalled, 'npm ci --prefix integrations has not run since genql was added');
  it.for(WRITTEN)('write $file for $tool', newest, async ({ tool, file, text }) => {
    const cwd = await openProgram();
    const script = [
      `export PATH='${join(cwd, 'bin')}:${dirname(process.execPath)}':"$PATH"`,
      // What is not installed must not be looked for elsewhere.
      'export npm_config_offline=true',
      LINES.get(tool) ?? 'false',
    ];
    await promisify(execFile)('sh', ['-c', script.join('\n')], { cwd });
    expect(await readFile(join(cwd, file), 'utf8')).toContain(text);
  });
});
