import { type ASTNode, Kind, parse, visit } from 'graphql';
import { printSubgraphSdl } from '../../src/graphql/schema/schema.ts';

/** Names of one word are those of other things, too. */
const COMPOUND = /[a-z][A-Z]|_|[A-Z][a-z]+[A-Z]/u;

/** The codes of errors are told to everybody. */
const PUBLIC_TYPE = 'ErrorCode';

/** The names of types, fields, arguments and enum values that nothing else has by chance. */
export function specificSchemaNames(): readonly string[] {
  const names = new Set<string>();
  const addName = (node: ASTNode) => {
    if (node.kind === Kind.ENUM_TYPE_DEFINITION && node.name.value === PUBLIC_TYPE) return false;
    if (node.kind.endsWith('Definition') && 'name' in node && node.name !== undefined) names.add(node.name.value);
    return undefined;
  };
  visit(parse(printSubgraphSdl()), { enter: addName });
  return [...names].filter((name) => COMPOUND.test(name));
}

/** The names of the schema that an answer tells and its request does not hold. */
export const toldNames = (answer: string, request: string, names: readonly string[]): readonly string[] =>
  names.filter((name) => answer.includes(name) && !request.includes(name));
