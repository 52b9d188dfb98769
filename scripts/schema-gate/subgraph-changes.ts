import { parse, print } from 'graphql';
import type { SchemaChange } from './schema-change.ts';

/** Lists what Federation adds to the schema of clients, one line for each directive: `Article @key(fields: "id")`. */
export function subgraphDirectives(sdl: string): readonly string[] {
  return parse(sdl).definitions.flatMap((definition) => {
    const directives = 'directives' in definition ? (definition.directives ?? []) : [];
    const name = 'name' in definition ? definition.name?.value : 'schema';
    return directives
      .filter((directive) => FEDERATION.has(directive.name.value))
      .map((used) => `${name} ${print(used)}`);
  });
}

const FEDERATION: ReadonlySet<string> = new Set(['key', 'link', 'shareable']);

/** The changes for other subgraphs: they may use what is added, and can't be composed without what they used. */
export const subgraphChanges = (released: readonly string[], current: readonly string[]): readonly SchemaChange[] => [
  ...released.filter((line) => !current.includes(line)).map((line) => changeOf(line, 'removed from', 'major')),
  ...current.filter((line) => !released.includes(line)).map((line) => changeOf(line, 'added to', 'minor')),
];

function changeOf(line: string, verb: string, bump: SchemaChange['bump']): SchemaChange {
  const [name = '', ...directive] = line.split(' ');
  const message = `${directive.join(' ')} was ${verb} ${name} in the subgraph`;
  return { coordinates: [name], bump, message, forbidden: null };
}
