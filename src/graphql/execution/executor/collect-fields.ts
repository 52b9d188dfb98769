import {
  type DocumentNode,
  defaultFieldResolver,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLField,
  GraphQLIncludeDirective,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  GraphQLSkipDirective,
  getArgumentValues,
  getDirectiveValues,
  type InlineFragmentNode,
  isAbstractType,
  isNonNullType,
  Kind,
  SchemaMetaFieldDef,
  type SelectionNode,
  type SelectionSetNode,
  TypeMetaFieldDef,
  TypeNameMetaFieldDef,
} from 'graphql';
import { memoize } from '../../../core/base/lazily.ts';
import { handleFieldErrorOf } from './complete-value.ts';
import { planProperty } from './execute-fields.ts';
import type {
  ArgumentValues,
  CoerceArgumentValues,
  CompleteValue,
  FieldPlan,
  Fragments,
  Selection,
  VariableValues,
} from './execution-context.ts';

export function fragmentsOf({ definitions }: DocumentNode): Fragments {
  const fragments: Fragments = Object.create(null);
  for (const definition of definitions)
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments[definition.name.value] = definition;
  return fragments;
}

interface PlanSource {
  readonly schema: GraphQLSchema;
  readonly fragments: Fragments;
  /** The values of the variables in `@skip` and `@include`. A plan is valid for these alone. */
  readonly conditions: VariableValues;
  readonly completeValueOf: (type: GraphQLOutputType) => CompleteValue;
}

const NO_SELECTION: Selection = () => [];

/** Plans the fields of an object type when the first object of that type is completed. */
export function createSelection(source: PlanSource, selectionSets: readonly SelectionSetNode[]): Selection {
  return memoize((type) => {
    const collected: CollectedFields = { type, groupedFields: new Map(), visitedFragments: new Set() };
    for (const selectionSet of selectionSets) collectFields(source, collected, selectionSet);
    return [...collected.groupedFields.values()].flatMap((nodes) => planField(source, type, nodes) ?? []);
  });
}

type FragmentNode = FragmentDefinitionNode | InlineFragmentNode;

interface CollectedFields {
  readonly type: GraphQLObjectType;
  readonly groupedFields: Map<string, [FieldNode, ...FieldNode[]]>;
  readonly visitedFragments: Set<FragmentNode | FieldNode>;
}

/** CollectFields of the specification. */
function collectFields(source: PlanSource, collected: CollectedFields, { selections }: SelectionSetNode): void {
  const { groupedFields, visitedFragments } = collected;
  for (const selection of selections) {
    const selected = selection.kind === Kind.FRAGMENT_SPREAD ? source.fragments[selection.name.value] : selection;
    if (!selected || visitedFragments.has(selected) || !shouldIncludeNode(source, selection)) continue;
    if (selected.kind === Kind.FIELD) {
      const sameKeyNodes = groupedFields.get(responseKeyOf(selected));
      if (sameKeyNodes) sameKeyNodes.push(selected);
      else groupedFields.set(responseKeyOf(selected), [selected]);
    } else {
      visitedFragments.add(selected);
      if (doesFragmentTypeApply(source.schema, selected, collected.type))
        collectFields(source, collected, selected.selectionSet);
    }
  }
}

const responseKeyOf = ({ alias, name }: FieldNode): string => alias?.value ?? name.value;

/** Evaluates `@skip` and `@include`. Throws a GraphQLError when a condition is invalid. */
function shouldIncludeNode({ conditions }: PlanSource, selection: SelectionNode): boolean {
  if (!selection.directives?.length) return true;
  if (getDirectiveValues(GraphQLSkipDirective, selection, conditions)?.['if'] === true) return false;
  return getDirectiveValues(GraphQLIncludeDirective, selection, conditions)?.['if'] !== false;
}

function doesFragmentTypeApply(schema: GraphQLSchema, fragment: FragmentNode, type: GraphQLObjectType): boolean {
  const condition = fragment.typeCondition && schema.getType(fragment.typeCondition.name.value);
  return !condition || condition === type || (isAbstractType(condition) && schema.isSubType(condition, type));
}

/** Null when the type has no such field. */
function planField(source: PlanSource, parentType: GraphQLObjectType, nodes: FieldPlan['nodes']): FieldPlan | null {
  const [node] = nodes;
  const definition = getFieldDef(source.schema, parentType, node.name.value);
  if (!definition) return null;
  const selectionSets = nodes.flatMap(({ selectionSet }) => selectionSet ?? []);
  return {
    responseKey: responseKeyOf(node),
    parentType,
    definition,
    nodes,
    selection: selectionSets.length > 0 ? createSelection(source, selectionSets) : NO_SELECTION,
    constant: definition === TypeNameMetaFieldDef ? parentType.name : undefined,
    property: planProperty(definition),
    coerceArgumentValues: createArgumentCoercion(definition, node),
    resolve: definition.resolve ?? defaultFieldResolver,
    completeValue: source.completeValueOf(definition.type),
    handleFieldError: handleFieldErrorOf(definition.type),
  };
}

const INTROSPECTION_FIELDS = [SchemaMetaFieldDef, TypeMetaFieldDef];

/** Every type has `__typename`; undefined where it has no such field. */
function getFieldDef(schema: GraphQLSchema, type: GraphQLObjectType, name: string) {
  if (name === TypeNameMetaFieldDef.name) return TypeNameMetaFieldDef;
  const introspection =
    type === schema.getQueryType() ? INTROSPECTION_FIELDS.find((field) => field.name === name) : null;
  return introspection ?? type.getFields()[name];
}

/**
 * Looks up the arguments of a field once when all of them are variables or left out, as they nearly always are.
 * graphql-js coerces all others.
 */
function createArgumentCoercion(definition: GraphQLField<unknown, unknown>, node: FieldNode): CoerceArgumentValues {
  if (definition.args.length === 0) return coerceNoArguments;
  const coerceWithGraphqlJs: CoerceArgumentValues = (variables) => getArgumentValues(definition, node, variables);
  const variableNames = new Map<string, string>();
  for (const { name, value } of node.arguments ?? []) {
    if (value.kind !== Kind.VARIABLE) return coerceWithGraphqlJs;
    variableNames.set(name.value, value.name.value);
  }
  const argumentDefinitions = definition.args.map(({ name, type, defaultValue }) => ({
    name,
    variable: variableNames.get(name),
    isRequired: isNonNullType(type),
    defaultValue,
  }));
  return (variables) => {
    const values: ArgumentValues = {};
    for (const { name, variable, isRequired, defaultValue } of argumentDefinitions) {
      const variableValue = variable === undefined ? undefined : variables[variable];
      const value = variableValue === undefined ? defaultValue : variableValue;
      // graphql-js throws the error.
      if (value == null && isRequired) return coerceWithGraphqlJs(variables);
      if (value !== undefined) values[name] = value;
    }
    return values;
  };
}

const NO_ARGUMENTS: ArgumentValues = Object.freeze({});

const coerceNoArguments: CoerceArgumentValues = () => NO_ARGUMENTS;
