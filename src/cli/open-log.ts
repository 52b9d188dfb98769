import type { WriteStream } from 'node:tty';
import type { LogConfig } from '../config/log.ts';
import type { Log } from '../domain/log.ts';
import { formatJsonLine, formatPrettyLine } from '../log-lines.ts';
import { createLogger } from '../logger.ts';
import { createLineWriter } from './line-writer.ts';
import { standardStreams } from './terminal.ts';

const FORMATS = { json: formatJsonLine, pretty: formatPrettyLine };

interface LogOutput {
  /** That of the log is stdout unless that has another use. */
  readonly stream?: WriteStream;
  /** Changes lines before they are written. */
  readonly edit?: (lines: string) => string;
}

/** Opens the log of a server. */
export function openLog(
  { level, format }: LogConfig,
  { stream = standardStreams().stdout, edit = (lines) => lines }: LogOutput = {},
): Log {
  const formatLine = FORMATS[format ?? (stream.isTTY ? 'pretty' : 'json')];
  const write = createLineWriter({
    write: (text) => stream.write(edit(text)),
    bufferedChars: () => stream.writableLength,
    formatLine,
  });
  return createLogger({ level, formatLine, write });
}

/** Opens a log whose lines another program takes. */
export const openLineLog = ({ level, format }: LogConfig, writeLine: (line: string) => void): Log =>
  createLogger({ level, formatLine: FORMATS[format ?? 'json'], write: (line) => tryWriting(writeLine, line) });

/** A line that cannot be written must not break the call that it reports. */
function tryWriting(writeLine: (line: string) => void, line: string): void {
  try {
    writeLine(line);
  } catch {
    // There is no other log that could name the reason.
  }
}
