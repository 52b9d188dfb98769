import {
  type GraphQLOutputType,
  type GraphQLSchema,
  getNamedType,
  isInterfaceType,
  isObjectType,
  isUnionType,
} from 'graphql';
import { argumentsWith, type Place } from './positions.ts';

/** What an outcome says of itself, by its type. */
const DETAILS: Readonly<Record<string, string>> = {
  ValidationError: 'issues { path message }',
  BulkUpdateArticlesPayload: 'results { __typename ... on ArticleUpdateOutcome { details } }',
};

/** What is sent: how the value is written must not matter to how it is answered. */
export interface Operation {
  readonly query: string;
  readonly variables: object;
}

/** Calls the root field with each of its arguments from a variable. */
export function withVariables(schema: GraphQLSchema, place: Place, value: unknown): Operation {
  const { args, type } = rootField(schema, place);
  const variables = args.map(({ name, type: argType }) => `$${name}: ${argType}`).join(', ');
  const given = args.map(({ name }) => `${name}: $${name}`).join(', ');
  const query = `${place.operation} (${variables}) { answer: ${place.field}(${given}) ${selectionOf(type)} }`;
  return { query, variables: argumentsWith(place, value) };
}

/** Stands for the value while the arguments around it are written. */
const HERE = { '(here)': true };

/** Calls it with everything written into the document. */
export function withLiterals(schema: GraphQLSchema, place: Place, value: unknown): Operation {
  const { type } = rootField(schema, place);
  const given = Object.entries(argumentsWith(place, HERE)).map(([name, arg]) => `${name}: ${literalOf(arg)}`);
  const query = `${place.operation} { answer: ${place.field}(${given.join(', ')}) ${selectionOf(type)} }`;
  return { query: query.replace(literalOf(HERE), () => literalOf(value)), variables: {} };
}

/** The names of enum values stand without quotes; no right argument is text in capital letters. */
function literalOf(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(literalOf).join(', ')}]`;
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value).map(([name, member]) => `${name}: ${literalOf(member)}`);
    return `{ ${members.join(', ')} }`;
  }
  return value === 'PROJECT' ? value : JSON.stringify(value);
}

function rootField(schema: GraphQLSchema, { operation, field }: Place) {
  const type = operation === 'query' ? schema.getQueryType() : schema.getMutationType();
  const found = type?.getFields()[field];
  if (!found) throw new Error(`There is no ${operation} ${field}.`);
  return found;
}

function selectionOf(type: GraphQLOutputType): string {
  const named = getNamedType(type);
  if (isUnionType(named)) {
    const details = named.getTypes().map(({ name }) => (DETAILS[name] ? `... on ${name} { ${DETAILS[name]} }` : ''));
    return `{ __typename ... on Error { code message serviceErrors { description } } ${details.join(' ')} }`;
  }
  return isObjectType(named) || isInterfaceType(named) ? '{ __typename }' : '';
}

/** What was written is read by these, and found under the name of its input field. */
export const READS: Readonly<Record<string, string>> = {
  bulkUpdateArticles:
    '{ read: article(articleId: "a1") { title content hidden order translationStatus category { categoryId } } }',
  updateReaderGroup: '{ read: readerGroup(groupId: "g1") { title description readerIds invitedSsoUserIds } }',
};
