import type { VariableValues } from '../executor/execution-args.ts';
import type { PlannedField } from './query-plan.ts';
import { resolveCount } from './upstream-costs.ts';

export interface QueryCost {
  /** Calls to the service. */
  readonly total: number;
  /** Calls by field, the most expensive first: `Article.content: 100`. */
  readonly parts: readonly (readonly [field: string, calls: number])[];
}

/** Estimates the most calls that a query can make to the service. Throws a GraphQLError when an argument is invalid. */
export function estimateQueryCost(plan: readonly PlannedField[], variables: VariableValues): QueryCost {
  const sum: CostSum = { variables, calls: new Map(), chargedOnce: new Set() };
  addSelectionCosts(sum, plan, 1);
  const parts = [...sum.calls].filter(([, calls]) => calls > 0).sort(([, a], [, b]) => b - a);
  return { total: parts.reduce((total, [, calls]) => total + calls, 0), parts };
}

/** Leaves out the fields that cost nothing, and looks up the arguments of the others once where they are constant. */
export function keepCostlyFields(plan: readonly PlannedField[]): readonly PlannedField[] {
  return plan.flatMap((planned) => {
    const subfields = keepCostlyFields(planned.subfields);
    if (planned.cost === undefined && subfields.length === 0) return [];
    if (hasArgumentCost(planned)) return [{ ...planned, subfields }];
    const args = planned.usesVariables ? {} : planned.coerceArgumentValues({});
    return [{ ...planned, subfields, coerceArgumentValues: () => args }];
  });
}

/** True when the cost of a field and its subfields can differ from one execution to the next. */
export const hasVariableCost = (planned: PlannedField): boolean =>
  hasArgumentCost(planned) || planned.subfields.some(hasVariableCost);

const hasArgumentCost = ({ usesVariables, cost }: PlannedField): boolean =>
  usesVariables && (typeof cost?.perObject?.calls === 'function' || typeof cost?.listSize === 'function');

interface CostSum {
  readonly variables: VariableValues;
  readonly calls: Map<string, number>;
  readonly chargedOnce: Set<string>;
}

function addSelectionCosts(sum: CostSum, plan: readonly PlannedField[], times: number): void {
  /** Resources that other fields of the same object have paid for. */
  const shared = new Set<string>();
  for (const planned of plan) {
    const { coerceArgumentValues, cost, subfields } = planned;
    const args = coerceArgumentValues(sum.variables);
    if (cost) addFieldCalls(sum, { planned, args, times, shared });
    if (subfields.length > 0) addSelectionCosts(sum, subfields, times * resolveCount(cost?.listSize ?? 1, args));
  }
}

interface CostedField {
  readonly planned: PlannedField;
  readonly args: VariableValues;
  readonly times: number;
  readonly shared: Set<string>;
}

function addFieldCalls(sum: CostSum, { planned: { name, cost }, args, times, shared }: CostedField): void {
  const { perObject, perRequest } = cost ?? {};
  const add = (calls: number) => sum.calls.set(name, (sum.calls.get(name) ?? 0) + calls);
  if (perObject) {
    const { resource, calls } = perObject;
    // Aliases of a root field have arguments of their own, so they share no calls.
    const isPaid = resource !== undefined && !name.startsWith('Query.') && shared.has(resource);
    if (resource !== undefined) shared.add(resource);
    if (!isPaid) add(resolveCount(calls, args) * times);
  }
  if (!perRequest) return;
  for (const [what, calls] of Object.entries(perRequest)) {
    if (sum.chargedOnce.has(what)) continue;
    sum.chargedOnce.add(what);
    add(calls);
  }
}
