import {
  type DocumentNode,
  type ExecutionResult,
  execute,
  type GraphQLError,
  type GraphQLSchema,
  getOperationAST,
  NoSchemaIntrospectionCustomRule,
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

  /** What speaks against beginning at all. A stranger is refused at each field, and is not told what others may ask for. */
  const problemsOf = ({ document, operationName, variableValues, caller }: OperationArgs) => {
    const operation = getOperationAST(document, operationName);
    if (!operation) return [];
    if (backend.authenticate(caller).ok) {
      const error = costError(document, operation, variableValues ?? {});
      if (error) return [error];
    }
    return variableValues ? largeVariableErrors(schema, operation, variableValues) : [];
  };

  const bounded = (result: ExecutionResult): ExecutionResult => {
    if (result.errors === undefined) return result;
    const masked = result.errors.map(maskError);
    return result.data === undefined
      ? { errors: errors.refusals(masked) }
      : { data: result.data, errors: errors.outcomes(masked) };
  };

  return {
    parse: documents.parse,
    validate: (document) => errors.refusals(documents.validate(document)),
    errors,
    execute: (args) => {
      const problems = problemsOf(args);
      if (problems.length > 0) return { errors: errors.refusals(problems) };
      const { document, operationName, variableValues, caller } = args;
      const contextValue = new Context({ backend, limits, caller });
      const result = execute({ schema, document, operationName, variableValues, contextValue });
      return result instanceof Promise ? result.then(bounded) : bounded(result);
    },
  };
}
