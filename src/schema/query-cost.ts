import {
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLCompositeType,
  type GraphQLField,
  type GraphQLSchema,
  getArgumentValues,
  getNamedType,
  isCompositeType,
  isInterfaceType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  SchemaMetaFieldDef,
  type SelectionNode,
  TypeMetaFieldDef,
} from 'graphql';
import { UPSTREAM_COSTS } from './upstream-costs.ts';

export interface QueryCost {
  /** Calls to the service. */
  readonly total: number;
  /** Calls by what they are made for, the most first: `Article.content: 100`. */
  readonly parts: readonly (readonly [field: string, calls: number])[];
  /** Fields that the answer has; one that is not at hand counts as 20. */
  readonly fields: number;
}

export interface CostedOperation {
  readonly schema: GraphQLSchema;
  readonly operation: OperationDefinitionNode;
  readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  readonly variables: Readonly<Record<string, unknown>>;
}

/**
 * The sum of an operation before it runs: how many calls it makes to the service, at worst, what for, and how large its
 * answer becomes.
 */
export function costOfQuery(costed: CostedOperation): QueryCost {
  const { schema, operation } = costed;
  const root = schema.getRootType(operation.operation);
  const walk: Walk = { costed, calls: new Map(), once: new Set(), fields: 0 };
  if (root) addSelections(walk, fieldsOf(walk, root, operation.selectionSet.selections), 1);
  const parts = [...walk.calls].filter(([, calls]) => calls > 0).sort(([, a], [, b]) => b - a);
  return { total: parts.reduce((sum, [, calls]) => sum + calls, 0), parts, fields: walk.fields };
}

interface Walk {
  readonly costed: CostedOperation;
  readonly calls: Map<string, number>;
  readonly once: Set<string>;
  fields: number;
}

/** All selections of one response key of one type, to be counted together as they are executed together. */
interface FieldGroup {
  readonly parent: GraphQLCompositeType;
  readonly nodes: FieldNode[];
}

/** Merges selections by response key, so that fragments that overlap are not counted twice. */
function fieldsOf(
  walk: Walk,
  parent: GraphQLCompositeType,
  selections: readonly SelectionNode[],
): readonly FieldGroup[] {
  const groups = new Map<string, FieldGroup>();
  const seen = new Set<string>();
  const collect = (type: GraphQLCompositeType, nodes: readonly SelectionNode[]): void => {
    for (const node of nodes) {
      if (node.kind === Kind.FIELD) addToGroup(groups, type, node);
      else collectFragment(type, node);
    }
  };
  const collectFragment = (type: GraphQLCompositeType, node: Exclude<SelectionNode, FieldNode>): void => {
    const fragment = node.kind === Kind.FRAGMENT_SPREAD ? unseenFragment(walk, node.name.value, seen) : node;
    if (!fragment) return;
    const condition = fragment.typeCondition && walk.costed.schema.getType(fragment.typeCondition.name.value);
    collect(isCompositeType(condition) ? condition : type, fragment.selectionSet.selections);
  };
  collect(parent, selections);
  return [...groups.values()];
}

function addToGroup(groups: Map<string, FieldGroup>, parent: GraphQLCompositeType, node: FieldNode): void {
  const key = `${parent.name}.${node.alias?.value ?? node.name.value}`;
  const group = groups.get(key);
  if (group) group.nodes.push(node);
  else groups.set(key, { parent, nodes: [node] });
}

function unseenFragment(walk: Walk, name: string, seen: Set<string>): FragmentDefinitionNode | undefined {
  if (seen.has(name)) return undefined;
  seen.add(name);
  return walk.costed.fragments.get(name);
}

function addSelections(walk: Walk, groups: readonly FieldGroup[], times: number): void {
  const shared = new Set<string>();
  for (const { parent, nodes } of groups) {
    const [node] = nodes;
    if (!node) continue;
    const field = fieldOf(walk.costed.schema, parent, node.name.value);
    const name = `${parent.name}.${node.name.value}`;
    walk.fields += times * (field && isLoaded(field, name) ? LOADED_FIELD : 1);
    if (!field) continue;
    const args = getArgumentValues(field, node, walk.costed.variables);
    walk.fields += UPSTREAM_COSTS[name]?.input?.(args) ?? 0;
    addField(walk, { name, args, times, shared });
    const type = getNamedType(field.type);
    if (!isCompositeType(type)) continue;
    const below = nodes.flatMap(({ selectionSet }) => selectionSet?.selections ?? []);
    addSelections(walk, fieldsOf(walk, type, below), times * (UPSTREAM_COSTS[name]?.items?.(args) ?? 1));
  }
}

/** A field that is read for itself takes about as long as so many that are at hand, and longer where it fails. */
const LOADED_FIELD = 20;

const isLoaded = ({ args }: GraphQLField<unknown, unknown>, name: string): boolean =>
  args.length > 0 || UPSTREAM_COSTS[name]?.each !== undefined;

/** Undefined for `__typename`, which has nothing below it. */
function fieldOf(schema: GraphQLSchema, parent: GraphQLCompositeType, name: string) {
  const introspection = parent === schema.getQueryType() ? INTROSPECTION.get(name) : undefined;
  if (introspection) return introspection;
  return isObjectType(parent) || isInterfaceType(parent) ? parent.getFields()[name] : undefined;
}

const INTROSPECTION: ReadonlyMap<string, GraphQLField<unknown, unknown>> = new Map(
  [SchemaMetaFieldDef, TypeMetaFieldDef].map((field) => [field.name, field]),
);

interface CostedField {
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly times: number;
  /** What the other fields of the same object already pay for. */
  readonly shared: Set<string>;
}

function addField(walk: Walk, { name, args, times, shared }: CostedField): void {
  const { each, once = {} } = UPSTREAM_COSTS[name] ?? {};
  const add = (calls: number) => walk.calls.set(name, (walk.calls.get(name) ?? 0) + calls);
  // Fields of the root name one thing under several aliases, each with arguments of its own: they share nothing.
  if (each && (name.startsWith('Query.') || !shared.has(each.what))) {
    shared.add(each.what);
    add(each.calls(args) * times);
  }
  for (const [what, calls] of Object.entries(once)) {
    if (walk.once.has(what)) continue;
    walk.once.add(what);
    add(calls);
  }
}
