import { execFile } from 'node:child_process';
import { cp, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import {
  type DocumentNode,
  type ExecutableDefinitionNode,
  isExecutableDefinitionNode,
  parse,
  print,
  visit,
} from 'graphql';
import { INTEGRATIONS } from '../../../../test/support/mounts.ts';

/** The documents as constants that gql.tada types, by their names. */
export type TadaDocuments = Readonly<Record<string, DocumentNode>>;

/** Writes a program with gql.tada into an empty folder: the documents, and the types of the schema. */
export async function writeTadaProgram(documents: string, folder: string): Promise<TadaDocuments> {
  await cp('integrations/test/clients/gql-tada/program', folder, { recursive: true });
  await cp('schema.graphql', join(folder, 'schema.graphql'));
  await symlink(INTEGRATIONS, join(folder, 'node_modules'));
  await promisify(execFile)(process.execPath, ['introspection.ts'], { cwd: folder });
  const path = join(folder, 'documents.ts');
  await writeFile(path, sourceOf(documents));
  return import(path);
}

/** What the compiler says of the program; empty when there is no error. */
export const compileTadaProgram = (folder: string): Promise<string> =>
  promisify(execFile)(join(INTEGRATIONS, '.bin/tsc'), ['-p', '.'], { cwd: folder }).then(
    ({ stdout }) => stdout,
    ({ stdout, message }) => stdout || message,
  );

/** Each definition is a constant, behind those of the fragments that it spreads. */
function sourceOf(documents: string): string {
  const definitions = parse(documents).definitions.filter(isExecutableDefinitionNode);
  const byName = new Map(definitions.map((definition) => [definition.name?.value ?? '', definition]));
  const constants = new Map<string, string>();
  const add = (name: string): void => {
    const definition = byName.get(name);
    if (definition === undefined || constants.has(name)) return;
    const spreads = spreadsOf(definition);
    spreads.forEach(add);
    const fragments = spreads.join(', ');
    constants.set(name, `export const ${name} = graphql(\`${print(definition)}\`, [${fragments}]);\n`);
  };
  [...byName.keys()].forEach(add);
  return ["import { graphql } from './graphql.ts';\n", ...constants.values()].join('\n');
}

function spreadsOf(definition: ExecutableDefinitionNode): readonly string[] {
  const names = new Set<string>();
  visit(definition, { FragmentSpread: ({ name }) => void names.add(name.value) });
  return [...names];
}
