import type { Log, LogLevel } from './domain/log.ts';
import { type FormatLine, formatJsonLine } from './log-lines.ts';

export interface LoggerOptions {
  /** Lines below this level are not written. */
  readonly level: LogLevel;
  /** JSON by default. */
  readonly formatLine?: FormatLine;
  /** Receives one whole line, with its line feed. */
  readonly write: (line: string) => void;
}

const SEVERITY = { debug: 0, info: 1, warn: 2, error: 3 } as const satisfies Record<LogLevel, number>;

const SECRET_NAME = /token|authorization|password|secret|cookie|api_?key/iu;
const RESERVED_FIELDS = new Set(['time', 'level', 'message']);

/** Bounds that keep a line readable: deeper, wider or longer values are cut. Texts are measured in characters. */
const MAX_DEPTH = 6;
const MAX_VALUES = 500;
const MAX_TEXT = 2_000;
const MAX_NAME = 200;
/** The sum over all texts of a line. Log collectors split or drop longer lines. */
const MAX_CHARS = 16_000;

/**
 * Writes lines of `time`, `level`, `message`, and the fields. Fields named like a secret are redacted. Logging never
 * throws, whatever the value of a field, so that it cannot break the call that it reports.
 */
export function createLogger({ level, formatLine = formatJsonLine, write }: LoggerOptions): Log {
  return (lineLevel, message, fields = {}) => {
    if (!isLogged(lineLevel, level)) return;
    const line = {
      time: new Date().toISOString(),
      level: lineLevel,
      message: message.slice(0, MAX_TEXT),
      ...toJsonFields(fields, level === 'debug'),
    };
    write(formatLine(line));
  };
}

/** True for the lines that a log of the level has. */
export const isLogged = (lineLevel: LogLevel, level: LogLevel): boolean => SEVERITY[lineLevel] >= SEVERITY[level];

function toJsonFields(fields: Readonly<Record<string, unknown>>, withStacks: boolean): Record<string, unknown> {
  try {
    const entries = Object.entries(fields).filter(([name]) => !RESERVED_FIELDS.has(name));
    return toJsonObject(entries, { withStacks, depth: 0, remaining: { values: MAX_VALUES, chars: MAX_CHARS } });
  } catch {
    return { fields: '[unreadable]' };
  }
}

interface FormatContext {
  readonly withStacks: boolean;
  readonly depth: number;
  /** Values, and characters of texts, that the line can still hold. */
  readonly remaining: { values: number; chars: number };
}

/** Converts a value to what JSON can hold. The bound on the depth ends circular references. */
function toJsonValue(value: unknown, context: FormatContext): unknown {
  if (typeof value === 'string') return truncateText(value, MAX_TEXT, context);
  if (typeof value === 'bigint' || typeof value === 'symbol') return truncateText(String(value), MAX_TEXT, context);
  if (typeof value === 'function') return '[function]';
  if (typeof value !== 'object' || value === null) return value;
  if (context.depth >= MAX_DEPTH) return '[deeper]';
  const inner = { ...context, depth: context.depth + 1 };
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString();
  if (Array.isArray(value)) return takeRemaining(value, context).map((entry) => toJsonValue(entry, inner));
  return toJsonObject(value instanceof Error ? errorEntries(value, context) : Object.entries(value), inner);
}

function toJsonObject(
  entries: readonly (readonly [string, unknown])[],
  context: FormatContext,
): Record<string, unknown> {
  const object: Record<string, unknown> = {};
  for (const [name, value] of takeRemaining(entries, context)) {
    const shortName = truncateText(name, MAX_NAME, context);
    // A name that was cut may have been that of a secret.
    const isRedacted = shortName !== name || SECRET_NAME.test(name);
    object[shortName] = isRedacted ? '[redacted]' : toJsonValue(value, context);
  }
  return object;
}

function truncateText(text: string, max: number, { remaining }: FormatContext): string {
  const length = Math.min(text.length, max, remaining.chars);
  remaining.chars -= length;
  return length < text.length ? `${text.slice(0, length)}…` : text;
}

function takeRemaining<T>(values: readonly T[], { remaining }: FormatContext): readonly T[] {
  const taken = values.length <= remaining.values ? values : values.slice(0, remaining.values);
  remaining.values -= taken.length;
  return taken;
}

/** Leaves out other properties of the error, which may hold a whole request. */
function errorEntries(error: Error, { withStacks }: FormatContext): [string, unknown][] {
  const entries: [string, unknown][] = [
    ['name', error.name],
    ['message', error.message],
  ];
  if ('code' in error) entries.push(['code', error.code]);
  if (error.cause !== undefined) entries.push(['cause', error.cause]);
  if (withStacks) entries.push(['stack', error.stack]);
  return entries;
}
