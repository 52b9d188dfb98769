import { type DiagLogger, DiagLogLevel, diag } from '@opentelemetry/api';
import type { Log } from '../base/log.ts';

/** The shortest time between two lines of the log. A failing export reports itself every few seconds. */
const MIN_INTERVAL_MS = 60_000;

/** The SDK's own reports go to the log, at most one in a minute: nothing about telemetry is worth more. */
export function logDiagnostics(log: Log): void {
  let lastAt = Number.NEGATIVE_INFINITY;
  let omitted = 0;
  const report = (text: string) => {
    const now = performance.now();
    if (now - lastAt < MIN_INTERVAL_MS) {
      omitted += 1;
      return;
    }
    log('warn', 'telemetry has a problem', { problem: messageOf(text), omitted });
    [lastAt, omitted] = [now, 0];
  };
  const ignore = () => {};
  const logger: DiagLogger = { error: report, warn: report, info: ignore, debug: ignore, verbose: ignore };
  diag.setLogger(logger, { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true });
}

/** An exception is reported as the JSON of its properties, with its stack. */
function messageOf(text: string): string {
  try {
    const { message } = Object(JSON.parse(text));
    return typeof message === 'string' ? message : text;
  } catch {
    return text;
  }
}
