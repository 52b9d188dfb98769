const SECRET_NAME = /token|authorization|password|secret|cookie|api_?key/iu;
const RESERVED_FIELDS = new Set(['time', 'level', 'message']);

/** Bounds that keep a line readable: deeper, wider or longer values are cut. Texts are measured in characters. */
const MAX_DEPTH = 6;
const MAX_VALUES = 500;
const MAX_TEXT = 2_000;
const MAX_NAME = 200;
/** The sum over all texts of a line. Log collectors split or drop longer lines. */
const MAX_CHARS = 16_000;

/** The names whose redaction is remembered, since a line for each request has the same ones. */
const MAX_KNOWN_NAMES = 1_000;

interface FieldContext {
  readonly withStacks: boolean;
  readonly depth: number;
  /** Values, and characters of texts, that the line can still hold. */
  readonly remaining: { values: number; chars: number };
}

export const truncateMessage = (message: string): string => message.slice(0, MAX_TEXT);

/** Copies the fields of a line as what JSON can hold. Fields named like a secret are redacted. */
export class LogFields {
  readonly #withStacks: boolean;
  readonly #secretNames = new Map<string, boolean>();

  constructor(options: { readonly withStacks: boolean }) {
    this.#withStacks = options.withStacks;
  }

  /** Adds the fields to a line. Never throws, whatever a field is. */
  addTo(line: Record<string, unknown>, fields: Readonly<Record<string, unknown>>): void {
    const context = { withStacks: this.#withStacks, depth: 0, remaining: { values: MAX_VALUES, chars: MAX_CHARS } };
    try {
      for (const name of takeRemaining(Object.keys(fields), context)) {
        if (!RESERVED_FIELDS.has(name)) this.#addField(line, [name, fields[name]], context);
      }
    } catch {
      line['fields'] = '[unreadable]';
    }
  }

  #addField(target: Record<string, unknown>, [name, value]: readonly [string, unknown], context: FieldContext): void {
    const shortName = truncateText(name, MAX_NAME, context);
    // A name that was cut may have been that of a secret.
    const isRedacted = shortName !== name || this.#isSecret(name);
    target[shortName] = isRedacted ? '[redacted]' : this.#toJsonValue(value, context);
  }

  #isSecret(name: string): boolean {
    const known = this.#secretNames.get(name);
    if (known !== undefined) return known;
    const isSecret = SECRET_NAME.test(name);
    if (this.#secretNames.size < MAX_KNOWN_NAMES) this.#secretNames.set(name, isSecret);
    return isSecret;
  }

  /** Converts a value to what JSON can hold. The bound on the depth ends circular references. */
  #toJsonValue(value: unknown, context: FieldContext): unknown {
    if (typeof value === 'string') return truncateText(value, MAX_TEXT, context);
    if (typeof value === 'bigint' || typeof value === 'symbol') return truncateText(String(value), MAX_TEXT, context);
    if (typeof value === 'function') return '[function]';
    if (typeof value !== 'object' || value === null) return value;
    if (context.depth >= MAX_DEPTH) return '[deeper]';
    const inner = { ...context, depth: context.depth + 1 };
    if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString();
    if (Array.isArray(value)) return takeRemaining(value, context).map((entry) => this.#toJsonValue(entry, inner));
    const object: Record<string, unknown> = {};
    const entries = value instanceof Error ? errorEntries(value, context) : Object.entries(value);
    for (const entry of takeRemaining(entries, inner)) this.#addField(object, entry, inner);
    return object;
  }
}

function truncateText(text: string, max: number, { remaining }: FieldContext): string {
  const length = Math.min(text.length, max, remaining.chars);
  remaining.chars -= length;
  return length < text.length ? `${text.slice(0, length)}…` : text;
}

function takeRemaining<T>(values: readonly T[], { remaining }: FieldContext): readonly T[] {
  const taken = values.length <= remaining.values ? values : values.slice(0, remaining.values);
  remaining.values -= taken.length;
  return taken;
}

/** Leaves out other properties of the error, which may hold a whole request. */
function errorEntries(error: Error, { withStacks }: FieldContext): [string, unknown][] {
  const entries: [string, unknown][] = [
    ['name', error.name],
    ['message', error.message],
  ];
  if ('code' in error) entries.push(['code', error.code]);
  if (error.cause !== undefined) entries.push(['cause', error.cause]);
  if (withStacks) entries.push(['stack', error.stack]);
  return entries;
}
