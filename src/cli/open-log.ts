import type { LogConfig } from '../config/log.ts';
import type { Log } from '../domain/log.ts';
import { formatJsonLine, formatPrettyLine } from '../log-lines.ts';
import { createLogger } from '../logger.ts';
import { createLineWriter } from './line-writer.ts';

const FORMATS = { json: formatJsonLine, pretty: formatPrettyLine };

/** Opens the log of a server on stdout. */
export function openLog({ level, format }: LogConfig): Log {
  const formatLine = FORMATS[format ?? (process.stdout.isTTY ? 'pretty' : 'json')];
  const write = createLineWriter({
    write: (text) => process.stdout.write(text),
    bufferedChars: () => process.stdout.writableLength,
    formatLine,
  });
  return createLogger({ level, formatLine, write });
}
