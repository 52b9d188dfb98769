import { countJsonValues, isObject, type JsonObject, jsonIn } from '../core/base/json.ts';
import { err, ok, type Result } from '../core/base/result.ts';
import { shorten } from '../core/base/text.ts';
import type { JsonSchema, ObjectJsonSchema, PreparedTool } from './prepare-tools.ts';
import { CONTENT_OFFSET } from './tools.ts';

/** Bounds of the values of one argument that is sent as a text. */
const TEXT_BOUNDS = { maxValues: 100_000, maxListItems: 100_000 };

/**
 * Reads the arguments of a tool as AI clients send them: lists, objects, numbers and booleans also as texts, one item
 * also without its list, and what is left out also as null or an empty text. GraphQL refuses what is still wrong. The
 * error is about arguments that it would ignore, or does not know.
 */
export function readArguments({ name, inputSchema }: PreparedTool, sent: JsonObject): Result<JsonObject, string> {
  const known = Object.keys(inputSchema.properties);
  const unknown = Object.keys(sent).find((argument) => !known.includes(argument));
  if (unknown !== undefined) {
    const others = known.length === 0 ? 'It has none.' : `Its arguments are ${known.join(', ')}.`;
    return err(`${name} has no argument ${JSON.stringify(shorten(unknown))}. ${others}`);
  }
  const args = readMembers(inputSchema, sent);
  for (const [argument, { maxItems = Number.POSITIVE_INFINITY }] of Object.entries(inputSchema.properties)) {
    const items = args[argument];
    if (Array.isArray(items) && items.length > maxItems)
      return err(`${argument} has ${items.length} items; one call may have ${maxItems}.`);
  }
  const { [CONTENT_OFFSET]: offset = 0 } = args;
  if (!Number.isSafeInteger(offset) || Number(offset) < 0)
    return err(`${CONTENT_OFFSET} must be a whole number from 0.`);
  return ok(args);
}

function readMembers(
  { properties, required = [] }: Pick<ObjectJsonSchema, 'properties'> & JsonSchema,
  sent: JsonObject,
): JsonObject {
  const isGiven = ([name, value]: [string, unknown]) => required.includes(name) || (value !== null && value !== '');
  const members = Object.entries(sent).filter(isGiven);
  return Object.fromEntries(members.map(([name, value]) => [name, readValue(properties[name], value)]));
}

function readValue(schema: JsonSchema | undefined, sent: unknown): unknown {
  if (schema === undefined || sent === null) return sent;
  const { type, items, properties } = schema;
  const value = typeof sent === 'string' ? readText(type, sent) : sent;
  if (type === 'array') return (Array.isArray(value) ? value : [value]).map((item) => readValue(items, item));
  return properties !== undefined && isObject(value) ? readMembers({ ...schema, properties }, value) : value;
}

const IS_OF_TYPE: Readonly<Record<JsonSchema['type'], (value: unknown) => boolean>> = {
  array: Array.isArray,
  boolean: (value) => typeof value === 'boolean',
  integer: Number.isInteger,
  object: isObject,
  string: () => false,
};

/** Returns the value of the type that the text is the JSON of, else the text. */
function readText(type: JsonSchema['type'], text: string): unknown {
  if (type === 'string' || !countJsonValues(text, TEXT_BOUNDS).ok) return text;
  const value = jsonIn(type === 'boolean' ? text.toLowerCase() : text);
  return IS_OF_TYPE[type](value) ? value : text;
}
