import { isObject, type JsonObject } from '../../core/base/json.ts';

/** Members whose own members are free, and so may be values. */
const FREE: ReadonlySet<string> = new Set(['custom_data', 'extension_data']);

/** The deepest level of a shape; trees of categories repeat theirs. */
const MAX_DEPTH = 6;

/** The types of a JSON value by the names of its members, without any value. A list has the shape of all its entries. */
export function shapeOf(value: unknown, depth = 0): unknown {
  if (Array.isArray(value)) return { list: depth < MAX_DEPTH ? mergedShape(value, depth + 1) : 'any' };
  if (!isObject(value)) return value === null ? 'null' : typeof value;
  if (depth >= MAX_DEPTH) return 'object';
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, FREE.has(name) ? typeof member : shapeOf(member, depth + 1)]),
  );
}

/** One shape for all entries of a list; a member of several types has them all. */
function mergedShape(entries: readonly unknown[], depth: number): unknown {
  const shapes = entries.map((entry) => shapeOf(entry, depth));
  const objects = shapes.filter(isObject);
  if (objects.length < shapes.length) return [...new Set(shapes.map((shape) => JSON.stringify(shape)))].join(' | ');
  const merged: Record<string, unknown> = {};
  for (const name of new Set(objects.flatMap((shape: JsonObject) => Object.keys(shape)))) {
    const types = new Set(objects.map((shape) => JSON.stringify(shape[name] ?? 'absent')));
    merged[name] = [...types].map((type): unknown => JSON.parse(type));
    if (types.size === 1) merged[name] = objects[0]?.[name];
  }
  return merged;
}
