import type { LogLevel } from './log.ts';
import { toPrintable, toPrintableJson } from './printable.ts';

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
