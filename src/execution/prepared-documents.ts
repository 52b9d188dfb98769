import {
  type ASTVisitor,
  type DocumentNode,
  GraphQLError,
  type GraphQLSchema,
  NoSchemaIntrospectionCustomRule,
  specifiedRules,
  type ValidationContext,
} from 'graphql';
import { ok, type Result } from '../base/result.ts';
import type { QueryLimits } from '../domain/limits.ts';
import { type CostChecks, type CostLimits, createCostChecks } from './cost/cost-limit.ts';
import { createDocuments } from './documents/documents.ts';
import {
  createFindDocument,
  createTrustedDocuments,
  type FindDocument,
  type RequestedDocument,
} from './documents/requested-documents.ts';

/** A validation rule for gateways without introspection: `_service` has the whole schema as text. */
const noServiceSdl = (context: ValidationContext): ASTVisitor => ({
  Field: (node) => {
    if (node.name.value !== '_service' || context.getParentType() !== context.getSchema().getQueryType()) return;
    const message =
      'GraphQL introspection has been disabled, but the requested query contained the field "_service", which has the schema as text.';
    context.reportError(new GraphQLError(message, { nodes: [node] }));
  },
});

export interface PreparedDocumentsOptions {
  readonly schema: GraphQLSchema;
  readonly limits: QueryLimits & CostLimits & { readonly queryCacheBytes: number };
  /** True when clients may read the schema. */
  readonly introspection: boolean;
  /** The texts of the documents that the operator vouches for, by their IDs. */
  readonly trustedTexts: ReadonlyMap<string, string>;
  /** True when no others are executed. */
  readonly trustedOnly: boolean;
}

/** The documents of requests, which are parsed and validated once. */
export interface PreparedDocuments {
  readonly schema: GraphQLSchema;
  /** Finds the document of a request, which has its text or an ID. */
  readonly findDocument: FindDocument;
  /** Throws a GraphQLError with a code when the text is invalid or exceeds a limit. */
  parse(requested: RequestedDocument): DocumentNode;
  /** Validates a document that `parse` returned. */
  validate(document: DocumentNode): readonly GraphQLError[];
  readonly costs: CostChecks;
}

/** Parses, validates and plans the trusted documents. The error lists all that is wrong with them. */
export function prepareDocuments(options: PreparedDocumentsOptions): Result<PreparedDocuments, readonly string[]> {
  const { schema, limits, introspection, trustedTexts: texts, trustedOnly } = options;
  const rules = introspection ? specifiedRules : [...specifiedRules, NoSchemaIntrospectionCustomRule, noServiceSdl];
  const costs = createCostChecks(schema, limits);
  const uncached = createDocuments({ schema, limits, rules, cacheBytes: 0 });
  const trusted = createTrustedDocuments({ texts, documents: uncached, prepareCost: costs.prepare });
  if (!trusted.ok) return trusted;
  const documents = createDocuments({ schema, limits, rules, cacheBytes: limits.queryCacheBytes });
  const findRegistered = limits.queryCacheBytes > 0 ? documents.findRegistered : null;
  return ok({
    schema,
    findDocument: createFindDocument({
      trusted: trusted.value,
      trustedOnly,
      findRegistered,
      maxTextLength: limits.maxQueryBytes,
    }),
    parse: ({ text, hash, trusted }) => trusted?.document ?? documents.parse(text, hash),
    validate: documents.validate,
    costs,
  });
}
