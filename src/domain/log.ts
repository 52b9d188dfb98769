export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

/**
 * Writes one line of the log. Fields hold names, counts, statuses and durations: no API token, no request body and no
 * article content.
 */
export type Log = (level: LogLevel, message: string, fields?: Readonly<Record<string, unknown>>) => void;

/** For whoever has nowhere to log to. */
export const silent: Log = () => {};
