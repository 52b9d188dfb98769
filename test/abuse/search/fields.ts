import {
  type GraphQLField,
  type GraphQLNamedOutputType,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  isAbstractType,
  isCompositeType,
  isNonNullType,
  isObjectType,
} from 'graphql';
import { chance, magnitude, pick, randomIndex, replaced } from './random.ts';
import { createValue, mutateValue, type Value, type ValueContext } from './values.ts';

/** A field of an operation, with its selection. */
export interface FieldGene {
  readonly name: string;
  /** The type that has the field, when it is selected in an interface or a union. */
  readonly on: string | null;
  /** The number of copies under aliases, with the same arguments. */
  readonly copies: number;
  /** The number of copies without an alias. */
  readonly repeats: number;
  readonly args: readonly Argument[];
  /** The notation of the field: plain, in an inline fragment, or in a named fragment. */
  readonly writtenAs: 'plain' | 'inline' | 'fragment';
  /** The number of directives without an effect; 0 for none. */
  readonly directives: number;
  readonly subfields: readonly FieldGene[];
}

export interface Argument {
  readonly name: string;
  readonly type: string;
  readonly value: Value;
}

export interface SchemaContext extends ValueContext {
  readonly schema: GraphQLSchema;
}

const MAX_DEPTH = 14;

/** Random fields of a type: few with a selection, more without one. */
export function createFields(context: SchemaContext, type: GraphQLNamedOutputType, depth = 1): readonly FieldGene[] {
  const { random, schema } = context;
  const parent = isAbstractType(type) ? pick(random, schema.getPossibleTypes(type)) : type;
  if (!isObjectType(parent)) return [];
  const fields = Object.values(parent.getFields());
  const leading = fields.filter((field) => isCompositeType(getNamedType(field.type)));
  const ending = fields.filter((field) => !isCompositeType(getNamedType(field.type)));
  const on = parent === type ? null : parent.name;
  const cycle = createCycle(context, parent, depth);
  if (cycle) return [{ ...cycle, on }];
  const isDeep = depth >= MAX_DEPTH || chance(random, depth / (2 * MAX_DEPTH));
  const chosen = [
    ...(isDeep || leading.length === 0 ? [] : [pick(random, leading)]),
    ...(leading.length > 0 && !isDeep && chance(random, 0.2) ? [pick(random, leading)] : []),
    ...(ending.length > 0 && chance(random, 0.7) ? [pick(random, ending)] : []),
  ];
  const genes = chosen.map((field) => createField(context, field, { on, depth }));
  return genes.length > 0 ? genes : [{ ...TYPENAME, on }];
}

type ObjectField = GraphQLField<unknown, unknown>;

const WALKS = 20;
const MAX_STEPS = 4;

/** The depth down to which cycles of links begin. */
const MAX_CYCLE_START = 3;

/**
 * Now and then, links that lead back to the type, such as `children { parent }`, as often as the depth allows; null
 * where there are none.
 */
function createCycle(context: SchemaContext, type: GraphQLObjectType, depth: number): FieldGene | null {
  if (depth > MAX_CYCLE_START || !chance(context.random, 0.15)) return null;
  for (let walks = 0; walks < WALKS; walks += 1) {
    const cycle = walkBack(context, type);
    if (cycle.length === 0 || depth + cycle.length > MAX_DEPTH) continue;
    const rounds = Math.floor((MAX_DEPTH - depth) / cycle.length);
    const links = Array.from({ length: rounds }, () => cycle).flat();
    return links.reduceRight<FieldGene>((inner, link) => linkTo(context, link, inner), TYPENAME);
  }
  return null;
}

/** Fields from a type back to it, chosen at random; none where the walk does not come back. */
function walkBack({ random }: SchemaContext, start: GraphQLObjectType): readonly ObjectField[] {
  const walked: ObjectField[] = [];
  let type = start;
  while (walked.length < MAX_STEPS) {
    const links = Object.values(type.getFields()).filter((field) => isObjectType(getNamedType(field.type)));
    if (links.length === 0) return [];
    const link = pick(random, links);
    const next = getNamedType(link.type);
    if (!isObjectType(next)) return [];
    walked.push(link);
    if (next === start) return walked;
    type = next;
  }
  return [];
}

/** A link with pages of the largest size. */
function linkTo(context: SchemaContext, link: ObjectField, inner: FieldGene): FieldGene {
  const first = link.args.find(({ name }) => name === 'first');
  const required = link.args.filter(({ type }) => isNonNullType(type));
  return {
    ...TYPENAME,
    name: link.name,
    args: [
      ...required.map(({ name, type }) => ({ name, type: `${type}`, value: createValue(context, name, type) })),
      ...(first ? [{ name: 'first', type: `${first.type}`, value: { kind: 'plain', value: 100 } as const }] : []),
    ],
    subfields: [inner],
  };
}

const TYPENAME: FieldGene = {
  name: '__typename',
  on: null,
  copies: 0,
  repeats: 1,
  args: [],
  writtenAs: 'plain',
  directives: 0,
  subfields: [],
};

interface FieldPosition {
  readonly on: string | null;
  readonly depth: number;
}

export function createField(
  context: SchemaContext,
  { name, args, type }: GraphQLField<unknown, unknown>,
  { on, depth }: FieldPosition,
): FieldGene {
  const { random } = context;
  const copies = chance(random, 0.3) ? magnitude(random, 100) : 0;
  return {
    name,
    on,
    copies,
    repeats: chance(random, 0.05) ? magnitude(random, 500) : copies > 0 ? 0 : 1,
    args: args
      .filter((arg) => isNonNullType(arg.type) || chance(random, 0.6))
      .map((arg) => ({ name: arg.name, type: `${arg.type}`, value: createValue(context, arg.name, arg.type) })),
    writtenAs: pick(random, ['plain', 'plain', 'plain', 'inline', 'fragment']),
    directives: chance(random, 0.1) ? magnitude(random, 10) : 0,
    subfields: createFields(context, getNamedType(type), depth + 1),
  };
}

/** Changes one property of one field at random. */
export function mutateFields(
  context: SchemaContext,
  fields: readonly FieldGene[],
  type: GraphQLNamedOutputType,
): readonly FieldGene[] {
  const { random } = context;
  if (fields.length === 0 || chance(random, 0.1)) return [...fields, ...createFields(context, type, 4)].slice(-8);
  const index = randomIndex(random, fields.length);
  if (fields.length > 1 && chance(random, 0.1)) return fields.filter((_, at) => at !== index);
  const field = fields[index];
  return field ? replaced(fields, index, mutateField(context, field, type)) : fields;
}

function mutateField(context: SchemaContext, field: FieldGene, parent: GraphQLNamedOutputType): FieldGene {
  const { random, schema } = context;
  const type = schema.getType(field.on ?? parent.name);
  const definition = isObjectType(type) ? type.getFields()[field.name] : undefined;
  if (!definition) return field;
  const fieldType = getNamedType(definition.type);
  if (field.subfields.length > 0 && chance(random, 0.55)) {
    return { ...field, subfields: mutateFields(context, field.subfields, fieldType) };
  }
  const change = randomIndex(random, 6);
  if (change <= 1) return { ...field, copies: Math.min(100, magnitude(random, 2 + 4 * field.copies)), repeats: 0 };
  if (change === 2) return { ...field, repeats: magnitude(random, 500) };
  if (change === 3)
    return { ...field, writtenAs: pick(random, ['plain', 'inline', 'fragment']), directives: randomIndex(random, 6) };
  if (change === 4 && isCompositeType(fieldType)) return { ...field, subfields: createFields(context, fieldType, 3) };
  return { ...field, args: mutateArguments(context, definition, field.args) };
}

function mutateArguments(
  context: SchemaContext,
  definition: GraphQLField<unknown, unknown>,
  args: readonly Argument[],
): readonly Argument[] {
  const [definitionOfOne] = definition.args.length > 0 ? [pick(context.random, definition.args)] : [];
  if (!definitionOfOne) return args;
  const { name, type } = definitionOfOne;
  const index = args.findIndex((arg) => arg.name === name);
  const old = args[index];
  if (old && chance(context.random, 0.7)) {
    return replaced(args, index, { ...old, value: mutateValue(context, old.value) });
  }
  const made = { name, type: `${type}`, value: createValue(context, name, type) };
  return old ? replaced(args, index, made) : [...args, made];
}
