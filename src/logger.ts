import type { Log, LogLevel } from './domain/log.ts';

export interface LoggerOptions {
  /** The least of what is written. */
  readonly level: LogLevel;
  /** Takes one whole line, its end included. */
  readonly write: (line: string) => void;
}

const rank = { debug: 0, info: 1, warn: 2, error: 3 } as const satisfies Record<LogLevel, number>;

const SECRET = /token|authorization|password|secret|cookie|api_?key/iu;
const OWN = new Set(['time', 'level', 'message']);

/** A log line is read by a person sooner or later: what is deeper, wider or longer than this is cut. */
const MAX_DEPTH = 6;
const MAX_VALUES = 500;
const MAX_TEXT = 2_000;
const MAX_NAME = 200;
/** All texts of a line together: collectors split longer lines, or drop them. */
const MAX_CHARS = 16_000;

/**
 * Writes JSON lines: `time`, `level`, `message`, then the fields. A field that is named like a secret is never written
 * in the clear, and no value whatever makes it throw: a log line must not break the call that it tells of.
 */
export function createLogger({ level, write }: LoggerOptions): Log {
  return (lineLevel, message, fields = {}) => {
    if (rank[lineLevel] < rank[level]) return;
    const line = {
      time: new Date().toISOString(),
      level: lineLevel,
      message: message.slice(0, MAX_TEXT),
      ...plainFields(fields, level === 'debug'),
    };
    write(`${JSON.stringify(line)}\n`);
  };
}

function plainFields(fields: Readonly<Record<string, unknown>>, withStacks: boolean): Record<string, unknown> {
  try {
    const entries = Object.entries(fields).filter(([name]) => !OWN.has(name));
    return plainEntries(entries, { withStacks, depth: 0, budget: { values: MAX_VALUES, chars: MAX_CHARS } });
  } catch {
    return { fields: '[unreadable]' };
  }
}

interface Place {
  readonly withStacks: boolean;
  readonly depth: number;
  /** How many more values, and characters of them, the line may hold. */
  readonly budget: { values: number; chars: number };
}

/** What JSON can hold of a value. Depth ends a circle. */
function plain(value: unknown, place: Place): unknown {
  if (typeof value === 'string') return cut(value, MAX_TEXT, place);
  if (typeof value === 'bigint' || typeof value === 'symbol') return cut(String(value), MAX_TEXT, place);
  if (typeof value === 'function') return '[function]';
  if (typeof value !== 'object' || value === null) return value;
  if (place.depth >= MAX_DEPTH) return '[deeper]';
  const inner = { ...place, depth: place.depth + 1 };
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString();
  if (Array.isArray(value)) return affordable(value, place).map((entry) => plain(entry, inner));
  return plainEntries(value instanceof Error ? errorEntries(value, place) : Object.entries(value), inner);
}

const plainEntries = (entries: readonly (readonly [string, unknown])[], place: Place): Record<string, unknown> =>
  Object.fromEntries(
    affordable(entries, place).map(([name, value]) => {
      const shortName = cut(name, MAX_NAME, place);
      // What is cut may be what tells a secret.
      return [shortName, shortName !== name || SECRET.test(name) ? '[redacted]' : plain(value, place)];
    }),
  );

function cut(text: string, max: number, { budget }: Place): string {
  const taken = text.slice(0, Math.min(max, budget.chars));
  budget.chars -= taken.length;
  return taken.length < text.length ? `${taken}…` : text;
}

function affordable<T>(values: readonly T[], { budget }: Place): readonly T[] {
  const taken = values.slice(0, budget.values);
  budget.values -= taken.length;
  return taken;
}

/** Only what names an error: its other properties may hold a whole request. */
function errorEntries(error: Error, { withStacks }: Place): [string, unknown][] {
  const entries: [string, unknown][] = [
    ['name', error.name],
    ['message', error.message],
  ];
  if ('code' in error) entries.push(['code', error.code]);
  if (error.cause !== undefined) entries.push(['cause', error.cause]);
  if (withStacks) entries.push(['stack', error.stack]);
  return entries;
}
