import type { GraphQLSchema } from 'graphql';
import { TOKENS, type TokenKind } from '../attacks/attack.ts';
import type { AbuseRequest } from '../measure/request.ts';
import { createFields, type FieldGene, mutateFields, type SchemaContext } from './fields.ts';
import { chance, pick } from './random.ts';
import { writeOperation } from './write-operation.ts';

/** An operation, and how it is sent. */
export interface OperationGenome {
  readonly kind: 'operation';
  readonly operation: 'query' | 'mutation';
  readonly fields: readonly FieldGene[];
  readonly sharesVariables: boolean;
  readonly transport: Transport;
}

/** The HTTP request that carries an operation, without its body. */
export interface Transport {
  readonly method: 'POST' | 'GET';
  readonly path: string;
  readonly contentType: string;
  readonly accept: string;
  readonly token: TokenKind;
}

export function createTransport({ random }: SchemaContext): Transport {
  return {
    method: chance(random, 0.05) ? 'GET' : 'POST',
    path: chance(random, 0.1) ? '/graphql?' : '/graphql',
    contentType: pick(random, ['application/json', 'application/json', 'application/json; charset=utf-8;  a=b']),
    accept: pick(random, ['*/*', '*/*', 'application/json', 'application/graphql-response+json', 'multipart/mixed']),
    token: pick(random, ['known', 'known', 'known', 'made up', 'none']),
  };
}

export function createOperation(context: SchemaContext): OperationGenome {
  const operation = chance(context.random, 0.3) ? 'mutation' : 'query';
  const root = rootOf(context.schema, operation);
  const fields = chance(context.random, 0.7)
    ? createFields(context, root)
    : [...createFields(context, root), ...createFields(context, root), ...createFields(context, root)];
  return {
    kind: 'operation',
    operation,
    fields,
    sharesVariables: chance(context.random, 0.3),
    transport: createTransport(context),
  };
}

export function mutateOperation(context: SchemaContext, genome: OperationGenome): OperationGenome {
  if (chance(context.random, 0.05)) return { ...genome, transport: createTransport(context) };
  if (chance(context.random, 0.05)) return { ...genome, sharesVariables: !genome.sharesVariables };
  return { ...genome, fields: mutateFields(context, genome.fields, rootOf(context.schema, genome.operation)) };
}

function rootOf(schema: GraphQLSchema, operation: 'query' | 'mutation') {
  const type = operation === 'query' ? schema.getQueryType() : schema.getMutationType();
  if (!type) throw new Error(`The schema has no type for a ${operation}.`);
  return type;
}

export function requestOfOperation(genome: OperationGenome, name: string): AbuseRequest {
  const { query, variables } = writeOperation(genome, name);
  const { method, path, accept } = genome.transport;
  const headers = headersOf(genome.transport);
  if (method === 'POST') return { method, path, headers, body: JSON.stringify({ query, variables }) };
  const search = new URLSearchParams({ query, variables: JSON.stringify(variables) });
  return { method, path: `/graphql?${search}`, headers: { ...headers, accept }, body: '' };
}

export const headersOf = ({ contentType, accept, token }: Transport): Readonly<Record<string, string>> => ({
  'content-type': contentType,
  accept,
  'graphql-require-preflight': '1',
  ...TOKENS[token],
});
