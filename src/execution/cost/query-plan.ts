import {
  type DocumentNode,
  type FieldNode,
  type GraphQLCompositeType,
  type GraphQLField,
  type GraphQLSchema,
  getNamedType,
  isCompositeType,
  Kind,
  type OperationDefinitionNode,
  print,
  type SelectionNode,
} from 'graphql';
import { createArgumentCoercion, type Fragments, fragmentsOf, getFieldDef } from '../executor/collect-fields.ts';
import type { CoerceArgumentValues } from '../executor/execution-context.ts';
import { UPSTREAM_COSTS, type UpstreamCost } from './upstream-costs.ts';

/** A field with all its selections merged. It does not depend on variables. */
export interface PlannedField {
  /** `Type.field` */
  readonly name: string;
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
    const field = getFieldDef(source.schema, parent, node.name.value);
    const type = field && getNamedType(field.type);
    const name = `${parent.name}.${node.name.value}`;
    return {
      name,
      field,
      coerceArgumentValues: field ? createArgumentCoercion(field, node) : () => ({}),
      // A text with this character makes no difference but that the cost is computed each time.
      usesVariables: (node.arguments ?? []).some((argument) => print(argument).includes('$')),
      cost: UPSTREAM_COSTS[name],
      subfields: isCompositeType(type) ? planSelections(source, type, subselections) : [],
    };
  });
}

function collectFieldGroups(
  { schema, fragments }: PlanSource,
  parent: GraphQLCompositeType,
  selections: readonly SelectionNode[],
): readonly FieldGroup[] {
  const groups = new Map<string, FieldGroup>();
  const seen = new Set<string>();
  const addField = (type: GraphQLCompositeType, node: FieldNode): void => {
    const key = `${type.name}.${node.alias?.value ?? node.name.value}`;
    const group = groups.get(key) ?? { parent: type, node, subselections: [] };
    group.subselections.push(...(node.selectionSet?.selections ?? []));
    groups.set(key, group);
  };
  const addSelections = (type: GraphQLCompositeType, nodes: readonly SelectionNode[]): void => {
    for (const node of nodes) {
      if (node.kind === Kind.FIELD) addField(type, node);
      else addFragment(type, node);
    }
  };
  const addFragment = (type: GraphQLCompositeType, node: Exclude<SelectionNode, FieldNode>): void => {
    if (node.kind === Kind.FRAGMENT_SPREAD && seen.has(node.name.value)) return;
    if (node.kind === Kind.FRAGMENT_SPREAD) seen.add(node.name.value);
    const fragment = node.kind === Kind.FRAGMENT_SPREAD ? fragments.get(node.name.value) : node;
    if (!fragment) return;
    const condition = fragment.typeCondition && schema.getType(fragment.typeCondition.name.value);
    addSelections(isCompositeType(condition) ? condition : type, fragment.selectionSet.selections);
  };
  addSelections(parent, selections);
  return [...groups.values()];
}
