import {
  GraphQLError,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isAbstractType,
  isListType,
  isNonNullType,
  isObjectType,
  print,
} from 'graphql';
import { memoize } from '../../../core/base/lazily.ts';
import { ERROR_TRAITS } from '../../schema/graphql-errors.ts';
import { FIELDS_PER_ERROR, jsonSizeOf } from '../../schema/response-budget.ts';
import type {
  ArgumentValues,
  FieldPlan,
  OperationPlan,
  Selection,
  VariableValues,
} from '../executor/execution-context.ts';
import { resolveCount, UPSTREAM_COSTS, type UpstreamCost } from './upstream-costs.ts';

/** A field that costs calls, or that has such fields below it. */
interface CostlyField extends Pick<FieldPlan, 'coerceArgumentValues'> {
  /** `Type.field` */
  readonly name: string;
  readonly cost: UpstreamCost;
  /** True when the cost of the field can differ from one execution to the next. */
  readonly isVariable: boolean;
  readonly subfields: readonly CostlyField[];
}

const objectTypesOf = (schema: GraphQLSchema, type: GraphQLNamedType): readonly GraphQLObjectType[] => {
  if (isAbstractType(type)) return schema.getPossibleTypes(type);
  return isObjectType(type) ? [type] : [];
};

/** The costly fields of an object that may be of any type that the selection permits. */
const costlyFieldsOf = (schema: GraphQLSchema, selection: Selection, type: GraphQLNamedType): readonly CostlyField[] =>
  objectTypesOf(schema, type)
    .flatMap(selection)
    .flatMap(({ parentType, definition, nodes: [node], selection: below, coerceArgumentValues }) => {
      const name = `${parentType.name}.${definition.name}`;
      const cost = UPSTREAM_COSTS[name];
      const subfields = costlyFieldsOf(schema, below, getNamedType(definition.type));
      if (cost === undefined && subfields.length === 0) return [];
      // A text with this character only makes the cost be computed each time.
      const usesVariables = (node.arguments ?? []).some((argument) => print(argument).includes('$'));
      const isVariable = usesVariables && dependsOnArguments(cost);
      return [{ name, cost: cost ?? {}, isVariable, coerceArgumentValues, subfields }];
    });

const dependsOnArguments = ({ calls, listSize }: UpstreamCost = {}): boolean =>
  typeof calls === 'function' || typeof listSize === 'function';

const hasVariableCost = ({ isVariable, subfields }: CostlyField): boolean =>
  isVariable || subfields.some(hasVariableCost);

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
export const estimateQueryCost = (plan: OperationPlan, variables: VariableValues): QueryCost =>
  estimateCost(costlyFieldsOf(plan.schema, plan.rootSelection, plan.rootType), variables);

function estimateCost(fields: readonly CostlyField[], variables: VariableValues): QueryCost {
  const sum: CostSum = { variables, calls: new Map(), chargedOnce: new Set() };
  addSelectionCosts(sum, fields, 1);
  const parts = [...sum.calls].filter(([, calls]) => calls > 0).sort(([, a], [, b]) => b - a);
  return { total: parts.reduce((total, [, calls]) => total + calls, 0), parts };
}

interface CostSum {
  readonly variables: VariableValues;
  readonly calls: Map<string, number>;
  readonly chargedOnce: Set<string>;
}

function addSelectionCosts(sum: CostSum, fields: readonly CostlyField[], times: number): void {
  /** Resources that other fields of the same object have paid for. */
  const shared = new Set<string | undefined>();
  for (const { name, coerceArgumentValues, cost, subfields } of fields) {
    const args = dependsOnArguments(cost) ? coerceArgumentValues(sum.variables) : {};
    const { calls = 0, resource, perRequest, listSize = 1 } = cost;
    if (!shared.has(resource)) addCalls(sum, name, resolveCount(calls, args) * times);
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

/**
 * Counts the fields of the objects of a field. A list is as long as the input; a list within it is assumed to have one
 * item. An object that is read back counts as the error that may replace it, since it has a budget of its own; error types
 * replace the outcomes, so they count nothing.
 */
function countFields(schema: GraphQLSchema, { definition, selection }: FieldPlan, listLength: number): number {
  const type = getNamedType(definition.type);
  const counts = objectTypesOf(schema, type).map((objectType) =>
    objectType.name.endsWith('Error')
      ? 0
      : selection(objectType).reduce((sum, field) => sum + countField(schema, field, listLength), 0),
  );
  return Math.max(0, ...counts);
}

function countField(schema: GraphQLSchema, field: FieldPlan, listLength: number): number {
  const { type } = field.definition;
  if (!isNonNullType(type) && isObjectType(type)) return 1 + FIELDS_PER_ERROR;
  const isList = isListType(getNullableType(type));
  return 1 + (isList ? listLength * (1 + countFields(schema, field, 1)) : countFields(schema, field, listLength));
}

export interface CostChecks {
  /** Returns null when a query may be executed with these variables. Writes cost no calls that are counted here. */
  check(plan: OperationPlan, variables: VariableValues): GraphQLError | null;
  /** Returns an error when the query costs too much whatever its variables are. */
  prepare(plan: OperationPlan): GraphQLError | null;
  /** Estimates the most fields and list items in the outcome of a write: they grow linearly with its input. */
  outcomeFieldsOf(field: FieldPlan, args: ArgumentValues): number;
}

/**
 * A cost that depends on the variables is computed for each execution, from what is looked up once and forgotten with the
 * plan. Any other cost is computed once.
 */
export function createCostChecks(schema: GraphQLSchema, maxUpstreamCalls: number): CostChecks {
  /** Empty for a plan whose calls are the same for all variables, and are allowed. */
  const costlyFields = new WeakMap<OperationPlan, readonly CostlyField[]>();
  const fieldsOf = memoize(
    ({ operation, rootSelection, rootType }: OperationPlan) =>
      operation.operation === 'query' ? costlyFieldsOf(schema, rootSelection, rootType) : [],
    costlyFields,
  );
  const outcomeSizeOf = memoize((field: FieldPlan) => {
    const fixedFields = countFields(schema, field, 0);
    return { fixedFields, fieldsPerItem: countFields(schema, field, 1) - fixedFields };
  }, new WeakMap());
  const check = (plan: OperationPlan, variables: VariableValues): GraphQLError | null => {
    try {
      const fields = fieldsOf(plan);
      if (fields.length === 0) return null;
      const error = callCostError(estimateCost(fields, variables), maxUpstreamCalls);
      if (!error && !fields.some(hasVariableCost)) costlyFields.set(plan, []);
      return error;
    } catch (error) {
      // With an invalid argument the cost is unknown, so the whole operation is rejected.
      if (error instanceof GraphQLError) return error;
      throw error;
    }
  };
  return {
    check,
    prepare: (plan) => (fieldsOf(plan).some(hasVariableCost) ? null : check(plan, {})),
    outcomeFieldsOf: (field, args) => {
      const { fixedFields, fieldsPerItem } = outcomeSizeOf(field);
      const listSize = UPSTREAM_COSTS[`Mutation.${field.definition.name}`]?.listSize;
      return (
        fixedFields + fieldsPerItem * (listSize === undefined ? jsonSizeOf(args).fields : resolveCount(listSize, args))
      );
    },
  };
}

function callCostError({ total, parts }: QueryCost, allowed: number): GraphQLError | null {
  if (total <= allowed) return null;
  const listed = parts.slice(0, 10).map(([field, calls]) => `${field} ${calls}`);
  const message = `The query may cost ${total} calls to the service; ${allowed} are allowed. It costs: ${listed.join(', ')}. Ask for fewer items, or for less of each.`;
  return new GraphQLError(message, { extensions: ERROR_TRAITS['query-too-costly'] });
}
