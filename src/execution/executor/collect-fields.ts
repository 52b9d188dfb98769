import {
  defaultFieldResolver,
  type FieldNode,
  type GraphQLField,
  type GraphQLFieldResolver,
  GraphQLIncludeDirective,
  type GraphQLObjectType,
  type GraphQLSchema,
  GraphQLSkipDirective,
  getDirectiveValues,
  isAbstractType,
  Kind,
  type SelectionNode,
  type SelectionSetNode,
  TypeNameMetaFieldDef,
  typeFromAST,
} from 'graphql';
import { fieldDefinition } from '../../schema/field-definition.ts';
import type { Fragments } from '../documents/fragments.ts';
import { type FieldArguments, fieldArguments } from './coerce-arguments.ts';
import { type Completion, completionOf, type Failure, failureOf } from './complete-value.ts';

export type Values = Readonly<Record<string, unknown>>;

type FieldNodes = readonly [FieldNode, ...FieldNode[]];

/** A field of one type of objects as an operation asks for it: all of it that no request changes. */
export interface FieldPlan {
  /** Its name in the answer. */
  readonly key: string;
  readonly parentType: GraphQLObjectType;
  readonly definition: GraphQLField<unknown, unknown>;
  /** Every place where it is asked for under that name. */
  readonly nodes: FieldNodes;
  readonly below: Selection;
  /** What it is where that is known beforehand, as of `__typename`; undefined otherwise. */
  readonly constant: string | undefined;
  readonly argumentsOf: FieldArguments;
  readonly hasArguments: boolean;
  readonly resolve: GraphQLFieldResolver<unknown, unknown>;
  readonly complete: Completion;
  readonly fail: Failure;
}

/** What a plan is made from. */
export interface PlanSource {
  readonly schema: GraphQLSchema;
  readonly fragments: Fragments;
  /** Set for documents with directives: the variables decide which fields there are, so the plan is for one execution. */
  readonly variables?: Values;
}

/** What is asked for of the objects that a field gives. */
export interface Selection {
  fieldsOf(type: GraphQLObjectType): readonly FieldPlan[];
}

const NOTHING: Selection = { fieldsOf: () => [] };

/**
 * The selection sets of a field taken together. Which fields they come to depends on the type of the object, and is worked
 * out when the first of a type turns up.
 */
export class SelectionPlan implements Selection {
  readonly #source: PlanSource;
  readonly #selectionSets: readonly SelectionSetNode[];
  readonly #fields = new Map<GraphQLObjectType, readonly FieldPlan[]>();

  constructor(source: PlanSource, selectionSets: readonly SelectionSetNode[]) {
    this.#source = source;
    this.#selectionSets = selectionSets;
  }

  fieldsOf(type: GraphQLObjectType): readonly FieldPlan[] {
    const known = this.#fields.get(type);
    if (known) return known;
    const gathered: Gathered = { type, nodes: new Map(), spread: new Set() };
    for (const selectionSet of this.#selectionSets) gather(this.#source, gathered, selectionSet);
    const fields = [...gathered.nodes].flatMap(([key, nodes]) => fieldPlan(this.#source, { key, type, nodes }) ?? []);
    this.#fields.set(type, fields);
    return fields;
  }
}

interface Gathered {
  readonly type: GraphQLObjectType;
  readonly nodes: Map<string, [FieldNode, ...FieldNode[]]>;
  /** Fragments that were spread already: once more changes nothing. */
  readonly spread: Set<string>;
}

/** CollectFields of the specification. */
function gather(source: PlanSource, gathered: Gathered, { selections }: SelectionSetNode): void {
  for (const selection of selections) {
    if (isSpreadAlready(gathered, selection) || !isIncluded(source, selection)) continue;
    if (selection.kind === Kind.FIELD) {
      const key = selection.alias?.value ?? selection.name.value;
      const others = gathered.nodes.get(key);
      if (others) others.push(selection);
      else gathered.nodes.set(key, [selection]);
      continue;
    }
    const fragment =
      selection.kind === Kind.INLINE_FRAGMENT ? selection : spread(source, gathered, selection.name.value);
    if (fragment && applies(source.schema, fragment.typeCondition, gathered.type)) {
      gather(source, gathered, fragment.selectionSet);
    }
  }
}

const isSpreadAlready = ({ spread }: Gathered, selection: SelectionNode): boolean =>
  selection.kind === Kind.FRAGMENT_SPREAD && spread.has(selection.name.value);

/** Evaluates `@skip` and `@include`. Throws a GraphQLError where a variable does not fit them. */
function isIncluded({ variables = {} }: PlanSource, selection: SelectionNode): boolean {
  if (!selection.directives?.length) return true;
  if (getDirectiveValues(GraphQLSkipDirective, selection, variables)?.['if'] === true) return false;
  return getDirectiveValues(GraphQLIncludeDirective, selection, variables)?.['if'] !== false;
}

function spread({ fragments }: PlanSource, { spread: known }: Gathered, name: string) {
  known.add(name);
  return fragments.get(name);
}

type TypeCondition = Parameters<typeof typeFromAST>[1] | undefined;

function applies(schema: GraphQLSchema, condition: TypeCondition, type: GraphQLObjectType): boolean {
  if (condition === undefined) return true;
  const conditional = typeFromAST(schema, condition);
  return conditional === type || (isAbstractType(conditional) && schema.isSubType(conditional, type));
}

interface AskedField {
  readonly key: string;
  readonly type: GraphQLObjectType;
  readonly nodes: FieldNodes;
}

function fieldPlan(source: PlanSource, { key, type, nodes }: AskedField): FieldPlan | null {
  const [node] = nodes;
  const name = node.name.value;
  const definition =
    name === TypeNameMetaFieldDef.name ? TypeNameMetaFieldDef : fieldDefinition(source.schema, type, name);
  if (!definition) return null;
  const selectionSets = nodes.flatMap(({ selectionSet }) => selectionSet ?? []);
  return {
    key,
    parentType: type,
    definition,
    nodes,
    below: selectionSets.length > 0 ? new SelectionPlan(source, selectionSets) : NOTHING,
    constant: definition === TypeNameMetaFieldDef ? type.name : undefined,
    argumentsOf: fieldArguments(definition, node),
    hasArguments: definition.args.length > 0,
    resolve: definition.resolve ?? defaultFieldResolver,
    complete: completionOf(definition.type),
    fail: failureOf(definition.type),
  };
}
