import type { WriteStream } from 'node:tty';
import type { LogConfig } from '../config/log.ts';
import type { Log } from '../domain/log.ts';
import { formatJsonLine, formatPrettyLine } from '../log-lines.ts';
import { createLogger } from '../logger.ts';
import { createLineWriter } from './line-writer.ts';

const FORMATS = { json: formatJsonLine, pretty: formatPrettyLine };

/** Opens the log of a server, on stdout unless that has another use. */
export function openLog({ level, format }: LogConfig, stream: WriteStream = process.stdout): Log {
  const formatLine = FORMATS[format ?? (stream.isTTY ? 'pretty' : 'json')];
  const write = createLineWriter({
    write: (text) => stream.write(text),
    bufferedChars: () => stream.writableLength,
    formatLine,
  });
  return createLogger({ level, formatLine, write });
}
