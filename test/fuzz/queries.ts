import {
  type GraphQLOutputType,
  type GraphQLSchema,
  getNamedType,
  isInterfaceType,
  isObjectType,
  isUnionType,
} from 'graphql';
import type { Place } from './places.ts';

/** What an outcome says of itself, by its type. */
const DETAILS: Readonly<Record<string, string>> = {
  ValidationError: 'issues { path message }',
  BulkUpdateArticlesPayload: 'results { __typename ... on ArticleUpdateOutcome { details } }',
};

/** The document that calls the root field with each of its arguments from a variable. */
export function documentOf(schema: GraphQLSchema, { operation, field }: Place): string {
  const type = operation === 'query' ? schema.getQueryType() : schema.getMutationType();
  const found = type?.getFields()[field];
  if (!found) throw new Error(`There is no ${operation} ${field}.`);
  const variables = found.args.map(({ name, type: argType }) => `$${name}: ${argType}`).join(', ');
  const given = found.args.map(({ name }) => `${name}: $${name}`).join(', ');
  return `${operation} (${variables}) { answer: ${field}(${given}) ${selectionOf(found.type)} }`;
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
