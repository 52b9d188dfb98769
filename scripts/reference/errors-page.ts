import { type GraphQLSchema, isEnumType, isInterfaceType, isUnionType } from 'graphql';
import { REQUEST_ERRORS } from '../../src/core/request-errors.ts';
import { ERROR_TRAITS } from '../../src/graphql/schema/graphql-errors.ts';
import { ERROR_TYPES } from '../../src/graphql/schema/mutation-errors.ts';
import { GENERATED, pageOf, table } from './markdown.ts';

const linkTo = (page: string, name: string): string => `[\`${name}\`](${page}#${name.toLowerCase()})`;

/** The types, each with its codes and whether the same request may be sent again. */
function typeRows(schema: GraphQLSchema): readonly (readonly string[])[] {
  const kinds = Object.entries(ERROR_TYPES).flatMap(([kind, type]) =>
    type === null ? [] : [{ kind, name: type.name }],
  );
  const names = [...new Set(kinds.map(({ name }) => name))].sort();
  return names.map((name) => [linkTo('objects.md', name), codesOf(name, kinds), meaningOf(schema, name)]);
}

function codesOf(name: string, kinds: readonly { readonly kind: string; readonly name: string }[]): string {
  const traits = Object.entries(ERROR_TRAITS).filter(([kind]) =>
    kinds.some((one) => one.kind === kind && one.name === name),
  );
  return traits.map(([, { code, retryable }]) => `\`${code}\`${retryable ? ' (again)' : ''}`).join(' or ');
}

const meaningOf = (schema: GraphQLSchema, name: string): string => schema.getType(name)?.description ?? '';

/** The results of mutations, each with the errors that it may be. */
function resultRows(schema: GraphQLSchema): readonly (readonly string[])[] {
  const type = schema.getType('MutationError');
  const errors = isInterfaceType(type) ? schema.getPossibleTypes(type).map(({ name }) => name) : [];
  return Object.values(schema.getTypeMap())
    .filter(isUnionType)
    .map((union) => ({ union, members: union.getTypes().filter(({ name }) => errors.includes(name)) }))
    .filter(({ members }) => members.length > 0)
    .map(({ union, members }) => [
      linkTo('unions.md', union.name),
      members.map(({ name }) => linkTo('objects.md', name)).join(', '),
    ]);
}

function codeRows(schema: GraphQLSchema): readonly (readonly string[])[] {
  const type = schema.getType('ErrorCode');
  const values = isEnumType(type) ? type.getValues() : [];
  return values.map(({ name, description }) => [`\`${name}\``, description ?? '']);
}

const requestRows = (): readonly (readonly string[])[] =>
  Object.entries(REQUEST_ERRORS).map(([code, meaning]) => [`\`${code}\``, meaning]);

export const errorsPage = (schema: GraphQLSchema): string =>
  pageOf([
    '# Errors',
    GENERATED,
    'A mutation answers its errors as types. Everything else that goes wrong is an entry in `errors`, with a code in `extensions.code`. [The contract](../contract.md#errors-of-mutations) says what clients can rely on.',
    '## Error types of mutations',
    'Every type implements [`MutationError`](interfaces.md#mutationerror). *Again* marks the codes after which sending the very same request again is safe and may help (`retryable`).',
    table(['type', 'code', 'meaning'], typeRows(schema)),
    '## Errors of each result',
    table(['result', 'errors'], resultRows(schema)),
    '## Codes of failed reads and writes',
    'The values of [`ErrorCode`](enums.md#errorcode).',
    table(['code', 'meaning'], codeRows(schema)),
    '## Codes of refused requests',
    'A request that is refused as a whole has no `data`. Besides those above, its codes are these.',
    table(['code', 'meaning'], requestRows()),
  ]);
