import SchemaBuilder, {
  EnumRef,
  FieldRef,
  type InterfaceRef,
  type ObjectFieldBuilder,
  type OutputRef,
  type TypeParam,
  typeFromParam,
} from '@pothos/core';
import { GraphQLError } from 'graphql';
import type { Context } from './context.ts';

/** The builder to which each file of this folder adds its types. Output fields are non-null by default. */
export const builder = new SchemaBuilder<{
  Context: Context;
  DefaultFieldNullability: false;
  Scalars: {
    ID: { Input: string; Output: string };
    DateTime: { Input: Date; Output: Date };
    JSON: { Input: never; Output: unknown };
    _Any: { Input: unknown; Output: never };
  };
}>({ defaultFieldNullability: false });

export type SchemaTypes = (typeof builder)['$inferSchemaTypes'];

/** Creates an enum from its values, each with its description. */
export function createEnumType<Value extends string>(
  name: string,
  description: string,
  descriptions: Readonly<Record<Value, string>>,
) {
  const entries = Object.entries<string>(descriptions).map(
    ([value, text]) => [value, { value, description: text }] as const,
  );
  const values = Object.fromEntries(entries);
  const ref = new EnumRef<SchemaTypes, Value>(name);
  ref.updateConfig({ kind: 'Enum', graphqlKind: 'Enum', name, description, values, pothosOptions: { values } });
  builder.configStore.addTypeRef(ref);
  return ref;
}

/** A member of the objects of a type, which the field of the same name shows. `Value` is what the member may hold. */
interface Member<in Value> {
  readonly type: TypeParam<SchemaTypes>;
  readonly nullable: boolean;
  readonly description: string;
  /** Tells members that hold something else apart. Never called. */
  readonly takes?: (value: Value) => void;
}

/** Creates what declares a member by its description. */
const memberOf = <Value>(type: TypeParam<SchemaTypes>) =>
  Object.assign((description: string): Member<Value> => ({ type, nullable: false, description }), {
    orNull: (description: string): Member<Value | null | undefined> => ({ type, nullable: true, description }),
  });

export const text = memberOf<string>('String');
export const id = memberOf<string>('ID');
export const ids = memberOf<readonly string[]>(['ID']);
export const integer = memberOf<number>('Int');
export const flag = memberOf<boolean>('Boolean');
export const time = memberOf<Date>('DateTime');
export const json = memberOf<unknown>('JSON');
export const one = <Value>(type: OutputRef<Value>) => memberOf<Value>(type);
export const iterable = <Value>(type: OutputRef<Value>) => memberOf<Iterable<Value>>([type]);
export const list = <Value>(type: OutputRef<Value>) => memberOf<readonly Value[]>([type]);

export interface ObjectTypeOptions<Shape> {
  readonly description: string;
  readonly interfaces?: InterfaceRef<SchemaTypes, unknown>[];
  /** The fields that show members as they are. Without a resolver they cost the least. */
  readonly members?: { readonly [Name in keyof Shape]?: Member<Shape[Name]> };
  /** All other fields. */
  readonly fields?: (t: ObjectFieldBuilder<SchemaTypes, Shape>) => Readonly<Record<string, FieldRef<SchemaTypes>>>;
}

export function createObjectType<Shape extends object>(
  name: string,
  { description, interfaces = [], members = {}, fields }: ObjectTypeOptions<Shape>,
) {
  const shown = Object.entries<Member<never> | undefined>(members).flatMap(([member, declared]) =>
    declared === undefined ? [] : [[member, fieldOf(declared)] as const],
  );
  const ref = builder.objectRef<Shape>(name);
  ref.implement({ description, fields: (t) => ({ ...Object.fromEntries(shown), ...fields?.(t) }) });
  ref.addInterfaces(interfaces);
  return ref;
}

const fieldOf = ({ type, nullable, description }: Member<never>) =>
  new FieldRef<SchemaTypes, unknown, 'Object'>('Object', (name, { name: parentType }) => ({
    kind: 'Object',
    graphqlKind: 'Object',
    parentType,
    name,
    description,
    type: typeFromParam(type, builder.configStore, nullable),
    args: {},
    argMappers: [],
    pothosOptions: { type, nullable, description, resolve: () => null },
  }));

const rejectInput = (name: string) => (): never => {
  throw new GraphQLError(`${name} is only ever an output.`);
};

const RFC_3339 = /^(?<date>\d{4}-\d\d-\d\d)T\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/iu;

function parseDateTime(input: unknown): Date {
  const { date } = (typeof input === 'string' && RFC_3339.exec(input)?.groups) || {};
  const moment = new Date(date === undefined ? Number.NaN : String(input).toUpperCase());
  // A day that its month does not have would become one of the next month.
  const isDay = date !== undefined && new Date(`${date}T00:00:00Z`).toJSON()?.startsWith(date) === true;
  if (isDay && /^\d/u.test(moment.toJSON() ?? '')) return moment;
  // Not a GraphQLError: graphql-js then adds the value and its place.
  throw new TypeError('DateTime must be a time in RFC 3339, such as "2026-01-31T12:00:00Z".');
}

builder.scalarType('DateTime', {
  description:
    'A point in time as RFC 3339 writes it. Answers are in UTC, with milliseconds; arguments may have any offset. Example: `"2026-01-31T12:00:00.000Z"`.',
  specifiedByURL: 'https://scalars.graphql.org/andimarek/date-time.html',
  serialize: (moment) => moment.toISOString(),
  parseValue: parseDateTime,
});

builder.scalarType('JSON', {
  description:
    'Any JSON value, which the gateway passes on as it is: an object, a list, a text, a number, a boolean or null. Example: `{ "items": [1, "two", null] }`.',
  specifiedByURL: 'https://www.rfc-editor.org/rfc/rfc8259',
  serialize: (value) => value,
  parseValue: rejectInput('JSON'),
});
