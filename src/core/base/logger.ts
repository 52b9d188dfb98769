import { isObject, type JsonObject } from './json.ts';
import type { Log, LogLevel } from './log.ts';
import { toPrintable, toPrintableJson } from './printable.ts';

interface LoggerOptions {
  /** Lines below this level are not written. */
  readonly level: LogLevel;
  /** JSON by default. */
  readonly formatLine?: FormatLine;
  readonly write: (line: string) => void;
}

const SEVERITY = { debug: 0, info: 1, warn: 2, error: 3 } as const satisfies Record<LogLevel, number>;

/**
 * Writes lines of `time`, `level`, `message`, and the fields. Fields named like a secret are redacted. Logging never
 * throws, whatever the value of a field, so that it cannot break the call that it reports.
 */
export function createLogger({ level, formatLine = formatJsonLine, write }: LoggerOptions): Log {
  const lineOf = (lineLevel: LogLevel, message: string, fields: LogLine['fields']): string =>
    formatLine({ time: new Date().toISOString(), level: lineLevel, message: message.slice(0, MAX_TEXT), fields });
  return (lineLevel, message, fields = {}) => {
    if (!isLogged(lineLevel, level)) return;
    let line: string;
    try {
      line = lineOf(lineLevel, message, new FieldsCopy(level === 'debug').copyObject(fields));
    } catch {
      line = lineOf(lineLevel, message, { fields: '[unreadable]' });
    }
    write(line);
  };
}

/** True for the lines that a log of the level contains. */
export const isLogged = (lineLevel: LogLevel, level: LogLevel): boolean => SEVERITY[lineLevel] >= SEVERITY[level];

const SECRET_NAME = /token|authorization|password|secret|cookie|api_?key/iu;
const RESERVED_FIELDS: ReadonlySet<string> = new Set(['time', 'level', 'message'] satisfies (keyof LogLine)[]);

/** Bounds that keep a line readable: deeper, wider or longer values are cut. Texts are measured in characters. */
const MAX_DEPTH = 6;
const MAX_VALUES = 500;
const MAX_TEXT = 2_000;
const MAX_NAME = 200;
/** The most characters of all texts of a line. Log collectors split or drop longer lines. */
const MAX_CHARS = 16_000;

/** The number of names that are remembered, since the lines of requests have the same names. */
const MAX_KNOWN_NAMES = 1_000;

function remembered<T>(compute: (name: string) => T): (name: string) => T {
  const known = new Map<string, T>();
  return (name) => {
    const result = known.get(name) ?? compute(name);
    if (known.size < MAX_KNOWN_NAMES) known.set(name, result);
    return result;
  };
}

/** The kind of a name. `reserved` means that each line has a member of that name already. */
const kindOf = remembered((name) =>
  RESERVED_FIELDS.has(name) ? 'reserved' : SECRET_NAME.test(name) ? 'secret' : 'plain',
);

/** Copies the fields of one line as JSON values within the bounds. Fields named like a secret are redacted. */
class FieldsCopy {
  readonly #withStacks: boolean;
  #depth = 0;
  /** The number of values, and of characters of texts, that still fit in the line. */
  #values = MAX_VALUES;
  #chars = MAX_CHARS;

  constructor(withStacks: boolean) {
    this.#withStacks = withStacks;
  }

  /** Throws what reading a member throws. */
  copyObject(object: JsonObject): JsonObject {
    const copied: Record<string, unknown> = {};
    for (const name of this.#takeRemaining(Object.keys(object))) {
      const kind = kindOf(name);
      if (this.#depth === 0 && kind === 'reserved') continue;
      const shortName = this.#truncate(name, MAX_NAME);
      // A name that was cut may be that of a secret, so its value is redacted.
      const isRedacted = shortName !== name || kind === 'secret';
      copied[shortName] = isRedacted ? '[redacted]' : this.#toJsonValue(object[name]);
    }
    return copied;
  }

  #toJsonValue(value: unknown): unknown {
    if (typeof value === 'string') return this.#truncate(value, MAX_TEXT);
    if (typeof value === 'bigint' || typeof value === 'symbol') return this.#truncate(String(value), MAX_TEXT);
    if (typeof value === 'function') return '[function]';
    if (!Array.isArray(value) && !isObject(value)) return value;
    // This bound on the depth also ends circular references.
    if (this.#depth >= MAX_DEPTH) return '[deeper]';
    if (value instanceof Date) return value.toJSON();
    this.#depth += 1;
    const copied = Array.isArray(value)
      ? this.#takeRemaining(value).map((entry) => this.#toJsonValue(entry))
      : this.copyObject(value instanceof Error ? this.#propertiesOf(value) : value);
    this.#depth -= 1;
    return copied;
  }

  #takeRemaining<T>(values: readonly T[]): readonly T[] {
    const taken = values.length <= this.#values ? values : values.slice(0, this.#values);
    this.#values -= taken.length;
    return taken;
  }

  #truncate(text: string, max: number): string {
    const length = Math.min(text.length, max, this.#chars);
    this.#chars -= length;
    return length < text.length ? `${text.slice(0, length)}…` : text;
  }

  /** The known properties of an error. Others are left out, since they may contain a whole request. */
  #propertiesOf(error: Error): JsonObject {
    const { name, message, cause } = error;
    return {
      name,
      message,
      // The number that a DOMException has for a code says nothing.
      ...('code' in error && typeof error.code === 'string' && { code: error.code }),
      ...(cause !== undefined && { cause }),
      ...(this.#withStacks && { stack: error.stack }),
    };
  }
}

interface LogLine {
  readonly time: string;
  readonly level: LogLevel;
  readonly message: string;
  /** The fields, all of whose values are JSON. */
  readonly fields: Readonly<Record<string, unknown>>;
}

/** Returns one line of text, with its line feed. */
export type FormatLine = (line: LogLine) => string;

/** The members are encoded one by one: all at once, with a search for unprintable characters, takes twice as long. */
export const formatJsonLine: FormatLine = ({ time, level, message, fields }) => {
  let line = `{"time":"${time}","level":"${level}","message":${jsonOf(message)}`;
  for (const name in fields) {
    const value = fields[name];
    if (value !== undefined) line += memberStart(name) + jsonOf(value);
  }
  return `${line}}\n`;
};

const memberStart = remembered((name) => `,${toPrintableJson(name)}:`);

/** Texts of these characters need no escaping in JSON. */
const UNESCAPED = /^[ !#-[\]-~]*$/u;

function jsonOf(value: unknown): string {
  if (typeof value === 'string' && UNESCAPED.test(value)) return `"${value}"`;
  // A list is encoded item by item, so that a `toJSON` of the list itself is ignored.
  if (Array.isArray(value)) return `[${value.map(jsonOf).join(',')}]`;
  const isPlain = value === null || typeof value === 'boolean' || Number.isFinite(value);
  return isPlain ? `${value}` : toPrintableJson(value);
}

/** A line for people: `12:30:01.250 INFO  request  method=POST status=200`. The time is UTC. */
export const formatPrettyLine: FormatLine = ({ time, level, message, fields }) => {
  let line = `${time.slice('2026-01-01T'.length, -1)} ${level.toUpperCase().padEnd(5)} ${toPrintable(message)}`;
  for (const name in fields) {
    const value = fields[name];
    if (value !== undefined) line += prettyMemberStart(name) + valueText(value);
  }
  return `${line}\n`;
};

const prettyMemberStart = remembered((name) => ` ${toPrintable(name)}=`);

/** Texts of these characters need no quotes. */
const PLAIN_TEXT = /^[\w.:/@+…-]+$/u;

const valueText = (value: unknown): string =>
  typeof value === 'string' && PLAIN_TEXT.test(value) ? value : jsonOf(value);
