/** A JSON Schema of draft 2020-12, as tools state their arguments and results. */
export interface JsonSchema {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly properties?: Record<string, JsonSchema>;
  readonly required?: string[];
  readonly [keyword: string]: unknown;
}

/** The schema of an object, which is that of all arguments and of all results. */
export interface ObjectJsonSchema extends JsonSchema {
  readonly type: 'object';
}

/** The values of scalars in JSON. `JSON` can be anything. */
const SCALARS: Readonly<Record<string, JsonSchema>> = {
  ID: { type: 'string' },
  String: { type: 'string' },
  Int: { type: 'integer' },
  Float: { type: 'number' },
  Boolean: { type: 'boolean' },
  DateTime: { type: 'string' },
};

export const scalarSchema = (name: string): JsonSchema => SCALARS[name] ?? {};

/** Returns the schema, changed so that it also permits null. The empty schema permits it already. */
export function orNull(schema: JsonSchema): JsonSchema {
  const { type } = schema;
  if (typeof type === 'string' && !('enum' in schema)) return { ...schema, type: [type, 'null'] };
  return Object.keys(schema).length === 0 ? schema : { anyOf: [schema, { type: 'null' }] };
}
