import {
  type DocumentNode,
  type ExecutionResult,
  executeSync,
  type GraphQLError,
  type GraphQLSchema,
  getOperationAST,
  getVariableValues,
  NoSchemaIntrospectionCustomRule,
  type OperationDefinitionNode,
  specifiedRules,
} from 'graphql';
import type { Backend } from '../backend/backend.ts';
import type { Caller } from '../domain/callers/caller.ts';
import type { QueryLimits } from '../domain/limits.ts';
import { err, ok, type Result } from '../domain/result.ts';
import { Context, type SchemaLimits } from '../schema/context.ts';
import { type BoundedErrors, createBoundedErrors } from './bounded-errors.ts';
import { EventLoopYield, type OperationTurns } from './cooperative-scheduler.ts';
import { type CostLimits, createCostLimit } from './cost/cost-limit.ts';
import { createDocuments, type Documents } from './documents/documents.ts';
import { executePlan } from './executor/execute.ts';
import type { RunOptions } from './executor/execution-context.ts';
import { largeVariableErrors } from './executor/large-variables.ts';
import { createPreparation, type PreparedOperation } from './executor/prepare.ts';
import { isPromise } from './executor/promises.ts';
import { jsonBytes } from './json-writer.ts';

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
  /** A result of `execute` that takes so long to be written as JSON that others are let in meanwhile; null for any other. */
  writeLarge(result: ExecutionResult): Promise<Buffer<ArrayBuffer>> | null;
}

const MAX_VARIABLE_ERRORS = 20;

export function createExecution({ schema, backend, limits, introspection, maskError }: ExecutionOptions): Execution {
  const errors = createBoundedErrors({ suggestions: introspection });
  const rules = introspection ? specifiedRules : [...specifiedRules, NoSchemaIntrospectionCustomRule];
  const documents = createDocuments({ schema, limits, rules, cacheBytes: limits.queryCacheBytes });
  const costError = createCostLimit(schema, limits);
  const prepare = createPreparation(schema);
  const eventLoop = new EventLoopYield();

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

  const large = new WeakMap<ExecutionResult, OperationTurns>();

  const executed = (result: ExecutionResult, { context, turns }: RunOptions): ExecutionResult => {
    const answer = boundedResult(result);
    if (answer.data && context.budget.isLargelyUsed) large.set(answer, turns);
    return answer;
  };

  return {
    parse: documents.parse,
    validate: (document) => errors.refusals(documents.validate(document)),
    errors,
    execute: (args) => {
      const { document, operationName, variableValues, caller } = args;
      const context = new Context({ backend, limits, caller });
      const operation = getOperationAST(document, operationName);
      const prepared = operation && prepare(document, operation);
      // There is nothing to execute: graphql-js says what is wrong.
      if (!prepared) return boundedResult(executeSync({ schema, document, operationName }));
      const costly = tooCostly(operation, args);
      if (costly) return { errors: errors.refusals([costly]) };
      const variables = coerced({ schema, operation, prepared }, variableValues ?? {});
      if (!variables.ok) return boundedResult({ errors: variables.error });
      const plan = prepared.planFor(variables.value);
      const run: RunOptions = { variables: variables.value, context, turns: eventLoop.forOperation() };
      const result = executePlan(plan, run);
      return isPromise(result) ? result.then((settled) => executed(settled, run)) : executed(result, run);
    },
    writeLarge: (result) => {
      const turns = large.get(result);
      return turns ? jsonBytes(result, turns) : null;
    },
  };
}

interface Declared {
  readonly schema: GraphQLSchema;
  readonly operation: OperationDefinitionNode;
  readonly prepared: PreparedOperation;
}

/** The variables as their types have them, or the errors where they do not fit. */
function coerced({ schema, operation, prepared }: Declared, given: Values): Result<Values, readonly GraphQLError[]> {
  const fitting = prepared.coerceVariables(given);
  if (fitting) return ok(fitting);
  const misfits = largeVariableErrors(schema, operation, given);
  if (misfits.length > 0) return err(misfits);
  const definitions = operation.variableDefinitions ?? [];
  const { errors, coerced: values } = getVariableValues(schema, definitions, given, { maxErrors: MAX_VARIABLE_ERRORS });
  // A variable may have the name of a member that objects inherit.
  return errors ? err(errors) : ok(Object.assign(Object.create(null), values));
}
