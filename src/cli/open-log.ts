import type { LogConfig } from '../config/log.ts';
import type { Log } from '../domain/log.ts';
import { formatJsonLine, formatPrettyLine } from '../log-lines.ts';
import { createLogger } from '../logger.ts';
import { createLineWriter } from './line-writer.ts';

const FORMATS = { json: formatJsonLine, pretty: formatPrettyLine };

/** Opens the log of a server on stdout, or on what else takes its lines. */
export function openLog({ level, format }: LogConfig, writeLine?: (line: string) => void): Log {
  if (writeLine !== undefined) {
    const formatLine = FORMATS[format ?? 'json'];
    return createLogger({ level, formatLine, write: (line) => tryWriting(writeLine, line) });
  }
  const formatLine = FORMATS[format ?? (process.stdout.isTTY ? 'pretty' : 'json')];
  const write = createLineWriter({
    write: (text) => process.stdout.write(text),
    bufferedChars: () => process.stdout.writableLength,
    formatLine,
  });
  return createLogger({ level, formatLine, write });
}

/** A line that cannot be written must not break the call that it reports. */
function tryWriting(writeLine: (line: string) => void, line: string): void {
  try {
    writeLine(line);
  } catch {
    // There is no other log that could name the reason.
  }
}
