import {
  type DocumentNode,
  type ExecutionResult,
  execute,
  type GraphQLError,
  type GraphQLSchema,
  getOperationAST,
  NoSchemaIntrospectionCustomRule,
  type OperationDefinitionNode,
  specifiedRules,
} from 'graphql';
import type { Backend } from '../backend/backend.ts';
import type { Caller } from '../domain/caller.ts';
import type { QueryLimits } from '../domain/limits.ts';
import { Context, type SchemaLimits } from '../schema/context.ts';
import { type BoundedErrors, createBoundedErrors } from './bounded-errors.ts';
import { type CostLimits, createCostLimit } from './cost-limit.ts';
import { createDocuments, type Documents } from './documents.ts';
import { largeVariableErrors } from './large-variables.ts';
import { createPreparation } from './preparation.ts';
import { isPromise } from './promises.ts';
import { executePlan } from './run.ts';

export interface ExecutionOptions {
  readonly schema: GraphQLSchema;
  readonly backend: Backend;
  readonly limits: QueryLimits & CostLimits & SchemaLimits & { readonly queryCacheBytes: number };
  /** Whether clients may read the schema. Where not, no error tells of it either. */
  readonly introspection: boolean;
  /** What a caller is told of an error that nobody foresaw. */
  readonly maskError: (error: unknown) => GraphQLError;
}

export interface OperationArgs {
  readonly document: DocumentNode;
  readonly operationName?: string | null | undefined;
  readonly variableValues?: Values | null | undefined;
  readonly caller: Caller;
}

type Values = Readonly<Record<string, unknown>>;

/** GraphQL, from the text of a document to the result: the same for every way by which a request comes in. */
export interface Execution extends Documents {
  readonly errors: BoundedErrors;
  execute(args: OperationArgs): ExecutionResult | Promise<ExecutionResult>;
}

export function createExecution({ schema, backend, limits, introspection, maskError }: ExecutionOptions): Execution {
  const errors = createBoundedErrors({ suggestions: introspection });
  const rules = introspection ? specifiedRules : [...specifiedRules, NoSchemaIntrospectionCustomRule];
  const documents = createDocuments({ schema, limits, rules, cacheBytes: limits.queryCacheBytes });
  const costError = createCostLimit(schema, limits);
  const prepare = createPreparation(schema);

  /** A stranger is refused at each field, and is not told what others may ask for. */
  const tooCostly = (operation: OperationDefinitionNode, { document, variableValues, caller }: OperationArgs) =>
    backend.authenticate(caller).ok ? costError(document, operation, variableValues ?? {}) : null;

  const boundedResult = (result: ExecutionResult): ExecutionResult => {
    if (result.errors === undefined) return result;
    const masked = result.errors.map(maskError);
    return result.data === undefined
      ? { errors: errors.refusals(masked) }
      : { data: result.data, errors: errors.outcomes(masked) };
  };

  const bounded = (result: ExecutionResult | Promise<ExecutionResult>) =>
    isPromise(result) ? result.then(boundedResult) : boundedResult(result);

  return {
    parse: documents.parse,
    validate: (document) => errors.refusals(documents.validate(document)),
    errors,
    execute: (args) => {
      const { document, operationName, variableValues, caller } = args;
      const contextValue = new Context({ backend, limits, caller });
      const asItCame = { schema, document, operationName, variableValues, contextValue };
      const operation = getOperationAST(document, operationName);
      if (!operation) return bounded(execute(asItCame));
      const costly = tooCostly(operation, args);
      if (costly) return { errors: errors.refusals([costly]) };
      const { coerceVariables, plan } = prepare(document, operation);
      const coerced = coerceVariables(variableValues ?? {});
      if (coerced) return bounded(plan ? executePlan(plan, coerced, contextValue) : execute(asItCame));
      const misfits = largeVariableErrors(schema, operation, variableValues ?? {});
      return misfits.length > 0 ? { errors: errors.refusals(misfits) } : bounded(execute(asItCame));
    },
  };
}
