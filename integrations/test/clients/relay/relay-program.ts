import { execFile } from 'node:child_process';
import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type DefinitionNode, type FragmentDefinitionNode, Kind, parse, print, visit } from 'graphql';
import { type ConcreteRequest, getRequest } from 'relay-runtime';
import { INTEGRATIONS } from '../../../../test/support/mounts.ts';

const COMPILER = join(INTEGRATIONS, '.bin/relay-compiler');

/**
 * Compiles the operations of the documents in an empty folder, and returns how to load one by its name. Fragments are
 * put in the place of their spreads: Relay would keep their data from whoever reads the operation.
 */
export async function compileForRelay(
  documents: string,
  folder: string,
  config = 'integrations/test/clients/relay/relay.config.json',
) {
  await mkdir(join(folder, 'src/generated'), { recursive: true });
  await copyFile('schema.graphql', join(folder, 'schema.graphql'));
  await copyFile(config, join(folder, 'relay.config.json'));
  await writeFile(join(folder, 'src/documents.ts'), sourceOf(documents));
  await promisify(execFile)(COMPILER, ['--output', 'quiet-with-errors'], { cwd: folder });
  return async (name: string): Promise<ConcreteRequest> => {
    const artifact = await import(join(folder, `src/generated/${name}.graphql.ts`));
    return getRequest(artifact.default);
  };
}

function sourceOf(documents: string): string {
  const { definitions } = parse(documents);
  const fragments = new Map(definitions.filter(isFragment).map((fragment) => [fragment.name.value, fragment]));
  const inline = <Node extends DefinitionNode | FragmentDefinitionNode['selectionSet']>(node: Node): Node =>
    visit(node, {
      FragmentSpread({ name, directives }) {
        const fragment = fragments.get(name.value);
        if (fragment === undefined) throw new Error(`There is no fragment ${name.value}.`);
        const { typeCondition, selectionSet } = fragment;
        return { kind: Kind.INLINE_FRAGMENT, typeCondition, directives, selectionSet: inline(selectionSet) };
      },
    });
  const operations = definitions.filter((definition) => !isFragment(definition));
  return operations.map((operation) => `graphql\`${print(inline(operation))}\`;\n`).join('\n');
}

function isFragment(definition: DefinitionNode): definition is FragmentDefinitionNode {
  return definition.kind === Kind.FRAGMENT_DEFINITION;
}
