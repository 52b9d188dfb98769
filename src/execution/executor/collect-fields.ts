import {
  type DocumentNode,
  defaultFieldResolver,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLCompositeType,
  type GraphQLField,
  GraphQLIncludeDirective,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  GraphQLSkipDirective,
  getArgumentValues,
  getDirectiveValues,
  isAbstractType,
  isNonNullType,
  isUnionType,
  Kind,
  SchemaMetaFieldDef,
  type SelectionNode,
  type SelectionSetNode,
  TypeMetaFieldDef,
  TypeNameMetaFieldDef,
  typeFromAST,
} from 'graphql';
import { handleFieldErrorOf } from './complete-value.ts';
import { planProperty } from './execute-fields.ts';
import type {
  ArgumentValues,
  CoerceArgumentValues,
  CompleteValue,
  FieldPlan,
  Selection,
  VariableValues,
} from './execution-context.ts';

type FieldNodes = FieldPlan['nodes'];

export type Fragments = ReadonlyMap<string, FragmentDefinitionNode>;

export function fragmentsOf({ definitions }: DocumentNode): Fragments {
  const fragments = definitions.filter((definition) => definition.kind === Kind.FRAGMENT_DEFINITION);
  return new Map(fragments.map((fragment) => [fragment.name.value, fragment]));
}

interface PlanSource {
  readonly schema: GraphQLSchema;
  readonly fragments: Fragments;
  /** The values of the variables in `@skip` and `@include`. A plan is valid for these alone. */
  readonly conditions: VariableValues;
  readonly completeValueOf: (type: GraphQLOutputType) => CompleteValue;
}

const NO_SELECTION: Selection = { fieldPlansFor: () => [] };

/** Plans the fields of an object type when the first object of that type is completed. */
export class SelectionPlan implements Selection {
  readonly #source: PlanSource;
  readonly #selectionSets: readonly SelectionSetNode[];
  readonly #fieldPlans = new Map<GraphQLObjectType, readonly FieldPlan[]>();

  constructor(source: PlanSource, selectionSets: readonly SelectionSetNode[]) {
    this.#source = source;
    this.#selectionSets = selectionSets;
  }

  fieldPlansFor(type: GraphQLObjectType): readonly FieldPlan[] {
    const known = this.#fieldPlans.get(type);
    if (known) return known;
    const collected: CollectedFields = { type, groupedFields: new Map(), visitedFragmentNames: new Set() };
    for (const selectionSet of this.#selectionSets) collectFields(this.#source, collected, selectionSet);
    const fields = [...collected.groupedFields].flatMap(
      ([responseKey, nodes]) => planField(this.#source, { responseKey, type, nodes }) ?? [],
    );
    this.#fieldPlans.set(type, fields);
    return fields;
  }
}

interface CollectedFields {
  readonly type: GraphQLObjectType;
  readonly groupedFields: Map<string, [FieldNode, ...FieldNode[]]>;
  readonly visitedFragmentNames: Set<string>;
}

/** CollectFields of the specification. */
function collectFields(source: PlanSource, collected: CollectedFields, { selections }: SelectionSetNode): void {
  for (const selection of selections) {
    if (isVisitedFragment(collected, selection) || !shouldIncludeNode(source, selection)) continue;
    if (selection.kind === Kind.FIELD) {
      const responseKey = selection.alias?.value ?? selection.name.value;
      const sameKeyNodes = collected.groupedFields.get(responseKey);
      if (sameKeyNodes) sameKeyNodes.push(selection);
      else collected.groupedFields.set(responseKey, [selection]);
      continue;
    }
    const fragment =
      selection.kind === Kind.INLINE_FRAGMENT ? selection : visitFragment(source, collected, selection.name.value);
    if (fragment && doesFragmentTypeApply(source.schema, fragment.typeCondition, collected.type)) {
      collectFields(source, collected, fragment.selectionSet);
    }
  }
}

const isVisitedFragment = ({ visitedFragmentNames }: CollectedFields, selection: SelectionNode): boolean =>
  selection.kind === Kind.FRAGMENT_SPREAD && visitedFragmentNames.has(selection.name.value);

/** Evaluates `@skip` and `@include`. Throws a GraphQLError when a condition is invalid. */
function shouldIncludeNode({ conditions }: PlanSource, selection: SelectionNode): boolean {
  if (!selection.directives?.length) return true;
  if (getDirectiveValues(GraphQLSkipDirective, selection, conditions)?.['if'] === true) return false;
  return getDirectiveValues(GraphQLIncludeDirective, selection, conditions)?.['if'] !== false;
}

function visitFragment({ fragments }: PlanSource, { visitedFragmentNames }: CollectedFields, name: string) {
  visitedFragmentNames.add(name);
  return fragments.get(name);
}

type TypeCondition = Parameters<typeof typeFromAST>[1] | undefined;

function doesFragmentTypeApply(schema: GraphQLSchema, condition: TypeCondition, type: GraphQLObjectType): boolean {
  if (condition === undefined) return true;
  const conditionalType = typeFromAST(schema, condition);
  return conditionalType === type || (isAbstractType(conditionalType) && schema.isSubType(conditionalType, type));
}

interface CollectedField {
  readonly responseKey: string;
  readonly type: GraphQLObjectType;
  readonly nodes: FieldNodes;
}

/** Null when the type has no such field. */
function planField(source: PlanSource, { responseKey, type, nodes }: CollectedField): FieldPlan | null {
  const [node] = nodes;
  const definition = getFieldDef(source.schema, type, node.name.value);
  if (!definition) return null;
  const selectionSets = nodes.flatMap(({ selectionSet }) => selectionSet ?? []);
  return {
    responseKey,
    parentType: type,
    definition,
    nodes,
    selection: selectionSets.length > 0 ? new SelectionPlan(source, selectionSets) : NO_SELECTION,
    constant: definition === TypeNameMetaFieldDef ? type.name : undefined,
    property: planProperty(definition),
    coerceArgumentValues: createArgumentCoercion(definition, node),
    hasArguments: definition.args.length > 0,
    resolve: definition.resolve ?? defaultFieldResolver,
    completeValue: source.completeValueOf(definition.type),
    handleFieldError: handleFieldErrorOf(definition.type),
  };
}

/** The definition of a field of a type, such as `__typename`, which every type has; undefined where it has none. */
export function getFieldDef(
  schema: GraphQLSchema,
  type: GraphQLCompositeType,
  name: string,
): GraphQLField<unknown, unknown> | undefined {
  if (name === TypeNameMetaFieldDef.name) return TypeNameMetaFieldDef;
  const introspection = [SchemaMetaFieldDef, TypeMetaFieldDef].find((field) => field.name === name);
  if (introspection && type === schema.getQueryType()) return introspection;
  return isUnionType(type) ? undefined : type.getFields()[name];
}

/**
 * Looks up the arguments of a field once when all of them are variables or left out, as they nearly always are.
 * graphql-js coerces all others.
 */
export function createArgumentCoercion(
  definition: GraphQLField<unknown, unknown>,
  node: FieldNode,
): CoerceArgumentValues {
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
