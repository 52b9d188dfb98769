/** A JSON object whose members are not validated. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** True for JSON objects: neither null nor an array. */
export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
