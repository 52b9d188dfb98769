import type { PlannedField } from './query-plan.ts';

export interface QueryCost {
  /** Calls to the service. */
  readonly total: number;
  /** Calls by what they are made for, the most first: `Article.content: 100`. */
  readonly parts: readonly (readonly [field: string, calls: number])[];
}

type Values = Readonly<Record<string, unknown>>;

/**
 * The sum of an operation before it runs: how many calls it makes to the service, at worst, and what for. Throws a GraphQLError where an argument does not fit.
 */
export function costOfQuery(plan: readonly PlannedField[], variables: Values): QueryCost {
  const sum: Sum = { variables, calls: new Map(), once: new Set() };
  addBelow(sum, plan, 1);
  const parts = [...sum.calls].filter(([, calls]) => calls > 0).sort(([, a], [, b]) => b - a);
  return { total: parts.reduce((total, [, calls]) => total + calls, 0), parts };
}

interface Sum {
  readonly variables: Values;
  readonly calls: Map<string, number>;
  readonly once: Set<string>;
}

function addBelow(sum: Sum, plan: readonly PlannedField[], times: number): void {
  /** What the other fields of the same object already pay for. */
  const shared = new Set<string>();
  for (const planned of plan) {
    const { argumentsOf, cost, below } = planned;
    const args = argumentsOf(sum.variables);
    if (cost) addCalls(sum, { planned, args, times, shared });
    if (below.length > 0) addBelow(sum, below, times * (cost?.items?.(args) ?? 1));
  }
}

interface CostedField {
  readonly planned: PlannedField;
  readonly args: Values;
  readonly times: number;
  readonly shared: Set<string>;
}

function addCalls(sum: Sum, { planned: { name, cost }, args, times, shared }: CostedField): void {
  const { each, once } = cost ?? {};
  const add = (calls: number) => sum.calls.set(name, (sum.calls.get(name) ?? 0) + calls);
  // Fields of the root name one thing under several aliases, each with arguments of its own: they share nothing.
  if (each && (name.startsWith('Query.') || !shared.has(each.what))) {
    shared.add(each.what);
    add(each.calls(args) * times);
  }
  if (!once) return;
  for (const [what, calls] of Object.entries(once)) {
    if (sum.once.has(what)) continue;
    sum.once.add(what);
    add(calls);
  }
}
