import {
  type FieldNode,
  type GraphQLCompositeType,
  type GraphQLField,
  type GraphQLSchema,
  getNamedType,
  isCompositeType,
  Kind,
  type OperationDefinitionNode,
  type SelectionNode,
} from 'graphql';
import { fieldDefinition } from '../../schema/field-definition.ts';
import type { Fragments } from '../documents/fragments.ts';
import { type FieldArguments, fieldArguments } from '../executor/coerce-arguments.ts';
import { UPSTREAM_COSTS, type UpstreamCost } from './upstream-costs.ts';

/** A field as it will be executed: all its selections in one place, and what an operation's variables do not change. */
export interface PlannedField {
  /** `Type.field` */
  readonly name: string;
  /** Undefined for `__typename`, which has nothing below it. */
  readonly field: GraphQLField<unknown, unknown> | undefined;
  /** By its first selection: the others name the same arguments. */
  readonly argumentsOf: FieldArguments;
  readonly cost: UpstreamCost | undefined;
  readonly below: readonly PlannedField[];
}

export interface PlannedDocument {
  readonly schema: GraphQLSchema;
  readonly operation: OperationDefinitionNode;
  readonly fragments: Fragments;
}

/** Selections merged by response key, so that fragments that overlap are not counted twice. */
export function planQuery(document: PlannedDocument): readonly PlannedField[] {
  const { schema, operation } = document;
  const root = schema.getRootType(operation.operation);
  return root ? planned(document, root, operation.selectionSet.selections) : [];
}

/** All selections of one response key of one type, to be counted together as they are executed together. */
interface FieldGroup {
  readonly parent: GraphQLCompositeType;
  readonly node: FieldNode;
  readonly below: SelectionNode[];
}

function planned(
  document: PlannedDocument,
  parent: GraphQLCompositeType,
  selections: readonly SelectionNode[],
): readonly PlannedField[] {
  return groupsOf(document, parent, selections).map(({ parent, node, below }) => {
    const field = fieldDefinition(document.schema, parent, node.name.value);
    const type = field && getNamedType(field.type);
    const name = `${parent.name}.${node.name.value}`;
    const fieldsBelow = isCompositeType(type) ? planned(document, type, below) : [];
    const cost = UPSTREAM_COSTS[name];
    const argumentsOf = field ? fieldArguments(field, node) : () => ({});
    return { name, field, argumentsOf, cost, below: fieldsBelow };
  });
}

function groupsOf(
  { schema, fragments }: PlannedDocument,
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
    if (node.kind === Kind.FRAGMENT_SPREAD && seen.has(node.name.value)) return;
    if (node.kind === Kind.FRAGMENT_SPREAD) seen.add(node.name.value);
    const fragment = node.kind === Kind.FRAGMENT_SPREAD ? fragments.get(node.name.value) : node;
    if (!fragment) return;
    const condition = fragment.typeCondition && schema.getType(fragment.typeCondition.name.value);
    collect(isCompositeType(condition) ? condition : type, fragment.selectionSet.selections);
  };
  collect(parent, selections);
  return [...groups.values()];
}

function addToGroup(groups: Map<string, FieldGroup>, parent: GraphQLCompositeType, node: FieldNode): void {
  const key = `${parent.name}.${node.alias?.value ?? node.name.value}`;
  const below = node.selectionSet?.selections ?? [];
  const group = groups.get(key);
  if (group) group.below.push(...below);
  else groups.set(key, { parent, node, below: [...below] });
}
