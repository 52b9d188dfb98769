import {
  type GraphQLOutputType,
  type GraphQLSchema,
  getNamedType,
  isInterfaceType,
  isObjectType,
  isUnionType,
} from 'graphql';
import { argumentsWith, type InputPosition } from './positions.ts';

/** The details that an outcome has, by its type. */
const DETAILS: Readonly<Record<string, string>> = {
  ValidationError: 'issues { path message }',
  SubmitArticleUpdateJobPayload: 'job { id }',
  BulkUpdateArticlesPayload: 'results { __typename details ... on ArticleUpdateNotAttempted { reason } }',
  BulkUpdateArticlesPreview: 'results { issues { path message } }',
  UpdateReaderGroupPreview: 'issues { path message }',
  ChangeReaderGroupMembersPreview: 'issues { path message }',
};

/** An operation. Whether the value is a variable or a literal must not change the response. */
export interface Operation {
  readonly query: string;
  readonly variables: object;
}

/** Calls the root field with each of its arguments from a variable. */
export function withVariables(schema: GraphQLSchema, position: InputPosition, value: unknown): Operation {
  const { args, type } = rootField(schema, position);
  const variables = args.map(({ name, type: argType }) => `$${name}: ${argType}`).join(', ');
  const given = args.map(({ name }) => `${name}: $${name}`).join(', ');
  const query = `${position.operation} (${variables}) { answer: ${position.field}(${given}) ${selectionOf(type)} }`;
  return { query, variables: argumentsWith(position, value) };
}

/** Stands for the value while the other arguments are written. */
const HERE = { '(here)': true };

/** Calls the root field with all values as literals of the document. */
export function withLiterals(schema: GraphQLSchema, position: InputPosition, value: unknown): Operation {
  const { type } = rootField(schema, position);
  const given = Object.entries(argumentsWith(position, HERE)).map(([name, arg]) => `${name}: ${literalOf(arg)}`);
  const query = `${position.operation} { answer: ${position.field}(${given.join(', ')}) ${selectionOf(type)} }`;
  return { query: query.replace(literalOf(HERE), () => literalOf(value)), variables: {} };
}

/** Values of enums, which have no quotes; no other valid argument is one of these texts. */
const ENUM_VALUES: ReadonlySet<unknown> = new Set(['PROJECT', 'FORK']);

function literalOf(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(literalOf).join(', ')}]`;
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value).map(([name, member]) => `${name}: ${literalOf(member)}`);
    return `{ ${members.join(', ')} }`;
  }
  return ENUM_VALUES.has(value) ? String(value) : JSON.stringify(value);
}

function rootField(schema: GraphQLSchema, { operation, field }: InputPosition) {
  const type = operation === 'query' ? schema.getQueryType() : schema.getMutationType();
  const found = type?.getFields()[field];
  if (!found) throw new Error(`There is no ${operation} ${field}.`);
  return found;
}

function selectionOf(type: GraphQLOutputType): string {
  const named = getNamedType(type);
  if (isUnionType(named) && named.name !== '_Entity') {
    const details = named.getTypes().map(({ name }) => (DETAILS[name] ? `... on ${name} { ${DETAILS[name]} }` : ''));
    return `{ __typename ... on MutationError { code message serviceErrors { description } } ${details.join(' ')} }`;
  }
  return isObjectType(named) || isInterfaceType(named) || isUnionType(named) ? '{ __typename }' : '';
}

/** Queries that read back what was written, under the names of the input fields. */
export const READS: Readonly<Record<string, string>> = {
  bulkUpdateArticles:
    '{ read: article(articleId: "a1") { title content hidden order translationStatus category { categoryId } } }',
  updateReaderGroup: '{ read: readerGroup(groupId: "g1") { title description readerIds invitedSsoUserIds } }',
};
