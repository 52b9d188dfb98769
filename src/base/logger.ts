import type { Log, LogLevel } from './log.ts';
import { toPrintable, toPrintableJson } from './printable.ts';

interface LoggerOptions {
  /** Lines below this level are not written. */
  readonly level: LogLevel;
  /** JSON by default. */
  readonly formatLine?: FormatLine;
  /** Receives one whole line, with its line feed. */
  readonly write: (line: string) => void;
}

const SEVERITY = { debug: 0, info: 1, warn: 2, error: 3 } as const satisfies Record<LogLevel, number>;

/**
 * Writes lines of `time`, `level`, `message`, and the fields. Fields named like a secret are redacted. Logging never
 * throws, whatever the value of a field, so that it cannot break the call that it reports.
 */
export function createLogger({ level, formatLine = formatJsonLine, write }: LoggerOptions): Log {
  const logFields = new LogFields({ withStacks: level === 'debug' });
  const timeText = createTimeText();
  const lineOf = (lineLevel: LogLevel, message: string, fields: Readonly<Record<string, unknown>>): string =>
    formatLine({ time: timeText(), level: lineLevel, message: truncateMessage(message), fields });
  return (lineLevel, message, fields = {}) => {
    if (!isLogged(lineLevel, level)) return;
    let line: string;
    try {
      line = lineOf(lineLevel, message, logFields.toJsonValues(fields));
    } catch {
      line = lineOf(lineLevel, message, { fields: '[unreadable]' });
    }
    write(line);
  };
}

/** True for the lines that a log of the level has. */
export const isLogged = (lineLevel: LogLevel, level: LogLevel): boolean => SEVERITY[lineLevel] >= SEVERITY[level];

/** Returns the time in RFC 3339. Many lines have the same millisecond. */
function createTimeText(): () => string {
  let lastMs = Number.NaN;
  let text = '';
  return () => {
    const now = Date.now();
    if (now !== lastMs) text = new Date(now).toISOString();
    lastMs = now;
    return text;
  };
}

const SECRET_NAME = /token|authorization|password|secret|cookie|api_?key/iu;
const isSecret = (name: string): boolean => SECRET_NAME.test(name);
const RESERVED_FIELDS = new Set(['time', 'level', 'message']);

/** Bounds that keep a line readable: deeper, wider or longer values are cut. Texts are measured in characters. */
const MAX_DEPTH = 6;
const MAX_VALUES = 500;
const MAX_TEXT = 2_000;
const MAX_NAME = 200;
/** The sum over all texts of a line. Log collectors split or drop longer lines. */
const MAX_CHARS = 16_000;

/** Characters of names and texts, and values, together. Fields within it reach no bound but that of a name. */
const MAX_SMALL = MAX_VALUES;

/** The names that are remembered, since the line of each request has the same ones. */
const MAX_KNOWN_NAMES = 1_000;

const truncateMessage = (message: string): string => message.slice(0, MAX_TEXT);

type Fields = Readonly<Record<string, unknown>>;

/** Makes the fields of a line what JSON can hold. Fields named like a secret are redacted. */
class LogFields {
  readonly #withStacks: boolean;
  /** Names that are written as they are. */
  readonly #plainNames = new Set<string>();

  constructor(options: { readonly withStacks: boolean }) {
    this.#withStacks = options.withStacks;
  }

  /** Returns small fields as they are, and copies others. Throws what reading a field throws. */
  toJsonValues(fields: Fields): Fields {
    if (this.#areSmall(fields)) return fields;
    const copied: Record<string, unknown> = {};
    const copy = new FieldsCopy(this);
    for (const name of copy.takeRemaining(Object.keys(fields))) {
      if (!RESERVED_FIELDS.has(name)) copy.addField(copied, name, fields[name]);
    }
    return copied;
  }

  /** True for a few texts, numbers and lists of texts without a secret, as the line of a request has them. */
  #areSmall(fields: Fields): boolean {
    if (Object.getPrototypeOf(fields) !== Object.prototype) return false;
    let size = 0;
    for (const name in fields) {
      size += name.length + sizeOf(fields[name]);
      if (size > MAX_SMALL || !this.#isPlainName(name)) return false;
    }
    return true;
  }

  #isPlainName(name: string): boolean {
    if (this.#plainNames.has(name)) return true;
    if (name.length > MAX_NAME || RESERVED_FIELDS.has(name) || isSecret(name)) return false;
    if (this.#plainNames.size < MAX_KNOWN_NAMES) this.#plainNames.add(name);
    return true;
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

/** The values and characters of what JSON can hold as it is; infinite for everything else. */
function sizeOf(value: unknown): number {
  if (typeof value === 'string') return 1 + value.length;
  if (Array.isArray(value) && value.length <= MAX_SMALL && !('toJSON' in value))
    return value.reduce(
      (size, entry) => size + (typeof entry === 'string' ? 1 + entry.length : Number.POSITIVE_INFINITY),
      1,
    );
  const isScalar = value == null || typeof value === 'number' || typeof value === 'boolean';
  return isScalar ? 1 : Number.POSITIVE_INFINITY;
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
    const isRedacted = shortName !== name || isSecret(name);
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

/** One line of the log. */
interface LogLine {
  /** RFC 3339. */
  readonly time: string;
  readonly level: LogLevel;
  readonly message: string;
  /** All values are what JSON can hold. */
  readonly fields: Readonly<Record<string, unknown>>;
}

/** Returns one line of text, with its line feed. */
export type FormatLine = (line: LogLine) => string;

export const formatJsonLine: FormatLine = ({ time, level, message, fields }) => {
  const start = `{"time":"${time}","level":"${level}","message":${toPrintableJson(message)}`;
  const rest = toPrintableJson(fields);
  return rest === '{}' ? `${start}}\n` : `${start},${rest.slice(1)}\n`;
};

/** A line for people: `12:30:01.250 INFO  request  method=POST status=200`. The time is UTC. */
export const formatPrettyLine: FormatLine = ({ time, level, message, fields }) => {
  const texts = Object.entries(fields).flatMap(([name, value]) =>
    value === undefined ? [] : [`${toPrintable(name)}=${valueText(value)}`],
  );
  const start = `${time.slice('2026-01-01T'.length, -1)} ${level.toUpperCase().padEnd(5)} ${toPrintable(message)}`;
  return `${[start, ...texts].join(' ')}\n`;
};

/** A text of these characters alone needs no quotes. */
const PLAIN_TEXT = /^[\w.:/@+…-]+$/u;

const valueText = (value: unknown): string =>
  typeof value === 'string' && PLAIN_TEXT.test(value) ? value : toPrintableJson(value);
