import {
  BREAK,
  type DocumentNode,
  type FieldNode,
  type GraphQLCompositeType,
  type GraphQLField,
  type GraphQLSchema,
  getNamedType,
  isCompositeType,
  isInterfaceType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  SchemaMetaFieldDef,
  type SelectionNode,
  TypeMetaFieldDef,
  visit,
} from 'graphql';
import { createArgumentCoercion, type Fragments, fragmentsOf } from '../executor/collect-fields.ts';
import type { CoerceArgumentValues } from '../executor/execution-context.ts';
import { UPSTREAM_COSTS, type UpstreamCost } from './upstream-costs.ts';

/** A field with all its selections merged. It does not depend on variables. */
export interface PlannedField {
  /** `Type.field` */
  readonly name: string;
  /** Undefined for `__typename`. */
  readonly field: GraphQLField<unknown, unknown> | undefined;
  /** Throws a GraphQLError when an argument is invalid. */
  readonly coerceArgumentValues: CoerceArgumentValues;
  /** True when arguments are variables, or contain some. */
  readonly usesVariables: boolean;
  readonly cost: UpstreamCost | undefined;
  readonly subfields: readonly PlannedField[];
}

/** Merges selections by response key, so that overlapping fragments are not counted twice. */
export function planOperation(
  schema: GraphQLSchema,
  document: DocumentNode,
  { operation, selectionSet }: OperationDefinitionNode,
): readonly PlannedField[] {
  const root = schema.getRootType(operation);
  return root ? planSelections({ schema, fragments: fragmentsOf(document) }, root, selectionSet.selections) : [];
}

interface PlanSource {
  readonly schema: GraphQLSchema;
  readonly fragments: Fragments;
}

/** All selections with one response key of one type. */
interface FieldGroup {
  readonly parent: GraphQLCompositeType;
  readonly node: FieldNode;
  readonly subselections: SelectionNode[];
}

function planSelections(
  source: PlanSource,
  parent: GraphQLCompositeType,
  selections: readonly SelectionNode[],
): readonly PlannedField[] {
  return collectFieldGroups(source, parent, selections).map(({ parent, node, subselections }) => {
    const field = getFieldDefinition(source.schema, parent, node.name.value);
    const type = field && getNamedType(field.type);
    const name = `${parent.name}.${node.name.value}`;
    const subfields = isCompositeType(type) ? planSelections(source, type, subselections) : [];
    const cost = UPSTREAM_COSTS[name];
    const coerceArgumentValues = field ? createArgumentCoercion(field, node) : () => ({});
    return { name, field, coerceArgumentValues, usesVariables: usesVariables(node), cost, subfields };
  });
}

function collectFieldGroups(
  { schema, fragments }: PlanSource,
  parent: GraphQLCompositeType,
  selections: readonly SelectionNode[],
): readonly FieldGroup[] {
  const groups = new Map<string, FieldGroup>();
  const seen = new Set<string>();
  const collectSelections = (type: GraphQLCompositeType, nodes: readonly SelectionNode[]): void => {
    for (const node of nodes) {
      if (node.kind === Kind.FIELD) addToGroup(groups, type, node);
      else collectFragment(type, node);
    }
  };
  const collectFragment = (type: GraphQLCompositeType, node: Exclude<SelectionNode, FieldNode>): void => {
    if (node.kind === Kind.FRAGMENT_SPREAD && seen.has(node.name.value)) return;
    if (node.kind === Kind.FRAGMENT_SPREAD) seen.add(node.name.value);
    const fragment = node.kind === Kind.FRAGMENT_SPREAD ? fragments.get(node.name.value) : node;
    if (!fragment) return;
    const condition = fragment.typeCondition && schema.getType(fragment.typeCondition.name.value);
    collectSelections(isCompositeType(condition) ? condition : type, fragment.selectionSet.selections);
  };
  collectSelections(parent, selections);
  return [...groups.values()];
}

function usesVariables({ arguments: args = [] }: FieldNode): boolean {
  let isFound = false;
  const markFound = () => {
    isFound = true;
    return BREAK;
  };
  for (const argument of args) visit(argument, { Variable: markFound });
  return isFound;
}

function addToGroup(groups: Map<string, FieldGroup>, parent: GraphQLCompositeType, node: FieldNode): void {
  const key = `${parent.name}.${node.alias?.value ?? node.name.value}`;
  const below = node.selectionSet?.selections ?? [];
  const group = groups.get(key);
  if (group) group.subselections.push(...below);
  else groups.set(key, { parent, node, subselections: [...below] });
}

function getFieldDefinition(
  schema: GraphQLSchema,
  parent: GraphQLCompositeType,
  name: string,
): GraphQLField<unknown, unknown> | undefined {
  const introspection = [SchemaMetaFieldDef, TypeMetaFieldDef].find((field) => field.name === name);
  if (introspection && parent === schema.getQueryType()) return introspection;
  return isObjectType(parent) || isInterfaceType(parent) ? parent.getFields()[name] : undefined;
}
