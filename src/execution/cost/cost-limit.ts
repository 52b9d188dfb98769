import {
  type DocumentNode,
  GraphQLError,
  type GraphQLField,
  type GraphQLSchema,
  getNullableType,
  isListType,
  isNonNullType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  valueFromASTUntyped,
} from 'graphql';
import { ERROR_TRAITS } from '../../schema/graphql-errors.ts';
import { FIELDS_PER_ERROR, jsonSizeOf } from '../../schema/response-budget.ts';
import type { VariableValues } from '../executor/execution-context.ts';
import { type PlannedField, planOperation } from './query-plan.ts';
import { resolveCount } from './upstream-costs.ts';

interface QueryCost {
  /** Calls to the service. */
  readonly total: number;
  /** Calls by field, the most expensive first: `Article.content: 100`. */
  readonly parts: readonly (readonly [field: string, calls: number])[];
}

/**
 * Estimates the most calls that a query can make to the service. Throws a GraphQLError when an argument is invalid.
 * @internal Exported for tests.
 */
export function estimateQueryCost(plan: readonly PlannedField[], variables: VariableValues): QueryCost {
  const sum: CostSum = { variables, calls: new Map(), chargedOnce: new Set() };
  addSelectionCosts(sum, plan, 1);
  const parts = [...sum.calls].filter(([, calls]) => calls > 0).sort(([, a], [, b]) => b - a);
  return { total: parts.reduce((total, [, calls]) => total + calls, 0), parts };
}

/** Leaves out the fields that cost nothing. */
const costlyFieldsOf = (plan: readonly PlannedField[]): readonly PlannedField[] =>
  plan.flatMap((planned) => {
    const subfields = costlyFieldsOf(planned.subfields);
    return planned.cost === undefined && subfields.length === 0 ? [] : [{ ...planned, subfields }];
  });

const dependsOnArguments = ({ cost }: PlannedField): boolean =>
  typeof cost?.perObject?.calls === 'function' || typeof cost?.listSize === 'function';

/** True when the cost of a field and its subfields can differ from one execution to the next. */
const hasVariableCost = (planned: PlannedField): boolean =>
  (planned.usesVariables && dependsOnArguments(planned)) || planned.subfields.some(hasVariableCost);

interface CostSum {
  readonly variables: VariableValues;
  readonly calls: Map<string, number>;
  readonly chargedOnce: Set<string>;
}

function addSelectionCosts(sum: CostSum, plan: readonly PlannedField[], times: number): void {
  /** Resources that other fields of the same object have paid for. */
  const shared = new Set<string | undefined>();
  for (const planned of plan) {
    const { name, coerceArgumentValues, cost = {}, subfields } = planned;
    const args = dependsOnArguments(planned) ? coerceArgumentValues(sum.variables) : {};
    const { perObject, perRequest, listSize = 1 } = cost;
    // Aliases of a root field have arguments of their own, so they share no calls.
    const resource = name.startsWith('Query.') ? undefined : perObject?.resource;
    if (perObject && !shared.has(resource)) addCalls(sum, name, resolveCount(perObject.calls, args) * times);
    if (resource !== undefined) shared.add(resource);
    if (perRequest) addCallsOnce(sum, name, perRequest);
    if (subfields.length > 0) addSelectionCosts(sum, subfields, times * resolveCount(listSize, args));
  }
}

/** Adds calls that are made once in a request, unless another field has paid for them. */
function addCallsOnce(sum: CostSum, name: string, calls: Readonly<Record<string, number>>): void {
  for (const [what, count] of Object.entries(calls)) {
    if (!sum.chargedOnce.has(what)) addCalls(sum, name, count);
    sum.chargedOnce.add(what);
  }
}

const addCalls = ({ calls }: CostSum, name: string, added: number) => calls.set(name, (calls.get(name) ?? 0) + added);

/** A write, and what its selection adds to the outcome: the size grows linearly with the length of the list. */
interface PlannedWrite extends PlannedField {
  readonly fixedFields: number;
  readonly fieldsPerItem: number;
}

/**
 * Counts once what does not depend on the variables.
 * @internal Exported for tests.
 */
export const planWrites = (plan: readonly PlannedField[]): readonly PlannedWrite[] =>
  plan.map((planned) => {
    const fixedFields = countFields(planned.subfields, 0);
    return { ...planned, fixedFields, fieldsPerItem: countFields(planned.subfields, 1) - fixedFields };
  });

/**
 * Estimates the most fields, list items and input values of a mutation and its outcomes. Objects that it reads back
 * count as an error only, since they have a budget of their own; error types count nothing.
 * @internal Exported for tests.
 */
export function estimateOutcomeSize(writes: readonly PlannedWrite[], variables: VariableValues): number {
  let size = 0;
  for (const { coerceArgumentValues, cost, fixedFields, fieldsPerItem } of writes) {
    const args = coerceArgumentValues(variables);
    const values = jsonSizeOf(args).fields;
    size += 1 + values + fixedFields + fieldsPerItem * resolveCount(cost?.listSize ?? values, args);
  }
  return size;
}

/** Counts the fields of one object. A list is as long as the input; a list within it is assumed to have one item. */
function countFields(fields: readonly PlannedField[], listLength: number): number {
  let size = 0;
  for (const { name, field, subfields } of fields) {
    if (isErrorField(name)) continue;
    size += 1;
    if (field === undefined) continue;
    if (isReadBack(field)) size += FIELDS_PER_ERROR;
    else if (isListType(getNullableType(field.type))) size += listLength * (1 + countFields(subfields, 1));
    else size += countFields(subfields, listLength);
  }
  return size;
}

/** An error type replaces the outcomes, so its fields do not add to them. */
const isErrorField = (name: string): boolean => /Error\./u.test(name);

/** Nullable objects of a mutation are read back. They may be null with an error. */
const isReadBack = ({ type }: GraphQLField<unknown, unknown>): boolean => !isNonNullType(type) && isObjectType(type);

export interface CostLimits {
  /** Calls to the service by one query (`MAX_UPSTREAM_CALLS`). Writes are not counted. */
  readonly maxUpstreamCalls: number;
  /** Fields and list items of writes and their outcomes. Reads are counted during execution. */
  readonly maxAnswerFields: number;
}

/** Rejects operations that may cost too much, before the first call. */
export interface CostChecks {
  /** Returns null when an operation may be executed with these variables. */
  check(document: DocumentNode, operation: OperationDefinitionNode, variables: VariableValues): GraphQLError | null;
  /** Returns an error when the operation costs too much whatever its variables are. */
  prepare(document: DocumentNode, operation: OperationDefinitionNode): GraphQLError | null;
}

/**
 * A cost that depends on the variables is computed for each execution, from a plan that is created once and forgotten with
 * the document. Any other cost is computed once.
 */
export function createCostChecks(schema: GraphQLSchema, limits: CostLimits): CostChecks {
  const plans = new WeakMap<OperationDefinitionNode, CostPlan>();
  /** Accepted operations whose cost is the same for all variables. */
  const affordableOperations = new WeakSet<OperationDefinitionNode>();
  const planOf = (document: DocumentNode, operation: OperationDefinitionNode): CostPlan => {
    const known = plans.get(operation);
    if (known) return known;
    const fields = planOperation(schema, document, operation);
    const plan = operation.operation === 'query' ? { fields: costlyFieldsOf(fields) } : { writes: planWrites(fields) };
    plans.set(operation, plan);
    return plan;
  };
  const costError = (operation: OperationDefinitionNode, plan: CostPlan, variables: VariableValues) => {
    const error = costOrArgumentError(plan, variables, limits);
    if (!error && !dependsOnVariables(plan)) affordableOperations.add(operation);
    return error;
  };
  return {
    check: (document, operation, given) => {
      if (affordableOperations.has(operation)) return null;
      const variables = uncoercedVariables(operation, given);
      return variables && costError(operation, planOf(document, operation), variables);
    },
    prepare: (document, operation) => {
      const plan = planOf(document, operation);
      return dependsOnVariables(plan) ? null : costError(operation, plan, {});
    },
  };
}

/** A query is limited by its calls, a mutation by the size of its outcome. */
type CostPlan = { readonly fields: readonly PlannedField[] } | { readonly writes: readonly PlannedWrite[] };

const dependsOnVariables = (plan: CostPlan): boolean =>
  'fields' in plan ? plan.fields.some(hasVariableCost) : plan.writes.some(({ usesVariables }) => usesVariables);

function costOrArgumentError(plan: CostPlan, variables: VariableValues, limits: CostLimits): GraphQLError | null {
  try {
    return 'fields' in plan
      ? callCostError(estimateQueryCost(plan.fields, variables), limits.maxUpstreamCalls)
      : outcomeSizeError(estimateOutcomeSize(plan.writes, variables), limits.maxAnswerFields);
  } catch (error) {
    // An invalid argument. The cost is unknown then, so the whole operation is rejected.
    if (error instanceof GraphQLError) return error;
    throw error;
  }
}

function callCostError({ total, parts }: QueryCost, allowed: number): GraphQLError | null {
  if (total <= allowed) return null;
  const listed = parts.slice(0, 10).map(([field, calls]) => `${field} ${calls}`);
  return createCostError(
    `The query may cost ${total} calls to the service; ${allowed} are allowed. It costs: ${listed.join(', ')}. ${ADVICE}`,
  );
}

/** Writes whose outcomes would not fit into the response must not begin. */
function outcomeSizeError(size: number, allowed: number): GraphQLError | null {
  if (size <= allowed) return null;
  return createCostError(
    `The input and its outcomes may have ${size} fields and list items; ${allowed} are allowed. ${ADVICE}`,
  );
}

const ADVICE = 'Ask for fewer items, or for less of each.';

/** The error of an operation without data. */
const createCostError = (message: string): GraphQLError =>
  new GraphQLError(message, { extensions: ERROR_TRAITS['query-too-costly'] });

/**
 * The variables with their defaults, otherwise not coerced: the cost depends only on sizes. Null when a required
 * variable is missing; execution rejects that.
 */
function uncoercedVariables(
  { variableDefinitions = [] }: OperationDefinitionNode,
  given: VariableValues,
): VariableValues | null {
  const values: Record<string, unknown> = Object.create(null);
  for (const { variable, type, defaultValue } of variableDefinitions) {
    const name = variable.name.value;
    const value = Object.hasOwn(given, name) ? given[name] : defaultValue && valueFromASTUntyped(defaultValue);
    if (value == null && type.kind === Kind.NON_NULL_TYPE) return null;
    if (value !== undefined) values[name] = value;
  }
  return values;
}
