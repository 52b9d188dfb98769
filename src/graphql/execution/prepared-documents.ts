import {
  type ASTVisitor,
  GraphQLError,
  type GraphQLSchema,
  NoSchemaIntrospectionCustomRule,
  specifiedRules,
  type ValidationContext,
} from 'graphql';
import { QUERY_CACHE_BYTES } from '../../core/base/limits.ts';
import { ok, type Result } from '../../core/base/result.ts';
import { ANSWER_LIMITS, type ResponseLimits } from '../schema/response-budget.ts';
import { type CostChecks, createCostChecks } from './cost/cost-limit.ts';
import { createDocuments, type Documents } from './documents/documents.ts';
import {
  createFindDocument,
  createTrustedDocuments,
  type FindDocument,
  type PrepareCost,
} from './documents/requested-documents.ts';
import { createExecutor, type Executor } from './executor/execute.ts';

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
  readonly maxQueryDepth: number;
  readonly maxUpstreamCalls: number;
  /** Replaces the bounds of an answer. */
  readonly answerLimits?: ResponseLimits;
  /** Replaces the memory for parsed documents. */
  readonly cacheBytes?: number;
  /** True when clients may read the schema. */
  readonly introspection: boolean;
  readonly trustedTexts: ReadonlyMap<string, string>;
  /** True when only trusted documents are executed. */
  readonly trustedOnly: boolean;
}

/** The documents of requests, which are parsed and validated once. */
export interface PreparedDocuments extends Pick<Documents, 'parse' | 'validate'> {
  readonly schema: GraphQLSchema;
  readonly executor: Executor;
  readonly answerLimits: ResponseLimits;
  readonly findDocument: FindDocument;
  readonly costs: CostChecks;
}

/** Parses, validates and plans the trusted documents. The error lists all that is wrong with them. */
export function prepareDocuments(options: PreparedDocumentsOptions): Result<PreparedDocuments, readonly string[]> {
  const {
    schema,
    maxQueryDepth: maxDepth,
    maxUpstreamCalls,
    introspection,
    trustedTexts: texts,
    trustedOnly,
  } = options;
  const { answerLimits = ANSWER_LIMITS, cacheBytes = QUERY_CACHE_BYTES } = options;
  const rules = introspection ? specifiedRules : [...specifiedRules, NoSchemaIntrospectionCustomRule, noServiceSdl];
  const executor = createExecutor(schema);
  const costs = createCostChecks(schema, maxUpstreamCalls);
  const prepareCost: PrepareCost = (document, operation) => {
    const plan = executor.fixedPlanOf(document, operation);
    return plan && costs.prepare(plan);
  };
  const uncached = createDocuments({ schema, maxDepth, rules, cacheBytes: 0 });
  const trusted = createTrustedDocuments({ texts, documents: uncached, prepareCost });
  if (!trusted.ok) return trusted;
  const documents = createDocuments({ schema, maxDepth, rules, cacheBytes });
  return ok({
    schema,
    executor,
    answerLimits,
    findDocument: createFindDocument({
      trusted: trusted.value,
      trustedOnly,
      findRegistered: documents.findRegistered,
    }),
    parse: documents.parse,
    validate: documents.validate,
    costs,
  });
}
