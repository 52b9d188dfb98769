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
    const copy = new FieldsCopy(this);
    try {
      for (const name of copy.takeRemaining(Object.keys(fields))) {
        if (!RESERVED_FIELDS.has(name)) copy.addField(line, name, fields[name]);
      }
    } catch {
      line['fields'] = '[unreadable]';
    }
  }

  isSecret(name: string): boolean {
    const known = this.#secretNames.get(name);
    if (known !== undefined) return known;
    const isSecret = SECRET_NAME.test(name);
    if (this.#secretNames.size < MAX_KNOWN_NAMES) this.#secretNames.set(name, isSecret);
    return isSecret;
  }

  /** The properties of an error. Others are left out, since they may hold a whole request. */
  entriesOf(error: Error): [string, unknown][] {
    const entries: [string, unknown][] = [
      ['name', error.name],
      ['message', error.message],
    ];
    if ('code' in error) entries.push(['code', error.code]);
    if (error.cause !== undefined) entries.push(['cause', error.cause]);
    if (this.#withStacks) entries.push(['stack', error.stack]);
    return entries;
  }
}

/** The copy of the fields of one line, within its bounds. */
class FieldsCopy {
  readonly #logFields: LogFields;
  #depth = 0;
  /** Values, and characters of texts, that the line can still hold. */
  #values = MAX_VALUES;
  #chars = MAX_CHARS;

  constructor(logFields: LogFields) {
    this.#logFields = logFields;
  }

  takeRemaining<T>(values: readonly T[]): readonly T[] {
    const taken = values.length <= this.#values ? values : values.slice(0, this.#values);
    this.#values -= taken.length;
    return taken;
  }

  addField(target: Record<string, unknown>, name: string, value: unknown): void {
    const shortName = this.#truncate(name, MAX_NAME);
    // A name that was cut may have been that of a secret.
    const isRedacted = shortName !== name || this.#logFields.isSecret(name);
    target[shortName] = isRedacted ? '[redacted]' : this.#toJsonValue(value);
  }

  /** Converts a value to what JSON can hold. */
  #toJsonValue(value: unknown): unknown {
    if (typeof value === 'string') return this.#truncate(value, MAX_TEXT);
    if (typeof value === 'bigint' || typeof value === 'symbol') return this.#truncate(String(value), MAX_TEXT);
    if (typeof value === 'function') return '[function]';
    if (typeof value !== 'object' || value === null) return value;
    // The bound on the depth ends circular references.
    if (this.#depth >= MAX_DEPTH) return '[deeper]';
    if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString();
    this.#depth += 1;
    const copied = Array.isArray(value)
      ? this.takeRemaining(value).map((entry) => this.#toJsonValue(entry))
      : this.#copyObject(value);
    this.#depth -= 1;
    return copied;
  }

  #copyObject(value: object): Record<string, unknown> {
    const object: Record<string, unknown> = {};
    const entries = value instanceof Error ? this.#logFields.entriesOf(value) : Object.entries(value);
    for (const [name, member] of this.takeRemaining(entries)) this.addField(object, name, member);
    return object;
  }

  #truncate(text: string, max: number): string {
    const length = Math.min(text.length, max, this.#chars);
    this.#chars -= length;
    return length < text.length ? `${text.slice(0, length)}…` : text;
  }
}
