import type { Log, LogLevel } from './log.ts';
import { LogFields, truncateMessage } from './log-fields.ts';
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
