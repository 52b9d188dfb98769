export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

/**
 * Writes one line of the log. The fields are names, counts, statuses and durations, but no API token, no request body
 * and no content of an article.
 */
export type Log = (level: LogLevel, message: string, fields?: Readonly<Record<string, unknown>>) => void;

/** Writes nothing. */
export const silentLog: Log = () => {};
