import { closeSync, constants, fstatSync, openSync, readSync, type Stats } from 'node:fs';
import { err, ok, type Result } from './result.ts';

/** Bytes that are read at a time. */
const CHUNK_BYTES = 1024 * 1024;

/** The pause before a pipe that had nothing is read again, in milliseconds. */
const PIPE_PAUSE_MS = 20;

interface FileBounds {
  readonly maxBytes: number;
  /** Milliseconds that a pipe may have nothing. Without it nothing but files is read. The process waits meanwhile. */
  readonly pipePatienceMs?: number;
}

/**
 * Reads a whole file, or a pipe to its end, and no more than `maxBytes` of it. The error says why not, as the
 * rest of a sentence about the file.
 */
export function readBoundedFile(path: string, bounds: FileBounds): Result<Buffer, string> {
  try {
    // A pipe that nobody writes to must not hold the process here.
    const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      return readAll(file, fstatSync(file), bounds);
    } finally {
      closeSync(file);
    }
  } catch (error) {
    return err(`cannot be read (${codeOf(error)})`);
  }
}

function readAll(file: number, stats: Stats, { maxBytes, pipePatienceMs = 0 }: FileBounds): Result<Buffer, string> {
  const tooLarge = err(`is larger than ${sizeText(maxBytes)}`);
  if (!stats.isFile() && (pipePatienceMs === 0 || stats.isDirectory())) return err('is no file');
  if (stats.size > maxBytes) return tooLarge;
  let lastReadAt = performance.now();
  const chunks: Buffer[] = [];
  // The size of a file can change, and a device has none.
  for (let length = 0; length <= maxBytes; ) {
    const chunk = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, maxBytes - length + 1));
    const read = readSome(file, chunk);
    // A pipe ends at once when nobody has begun to write to it.
    const isEnd = read === 0 && (length > 0 || !stats.isFIFO());
    if (isEnd) return ok(Buffer.concat(chunks, length));
    if (read > 0) {
      chunks.push(chunk.subarray(0, read));
      length += read;
      lastReadAt = performance.now();
    } else if (performance.now() - lastReadAt >= pipePatienceMs) {
      return err(`had nothing to read for ${pipePatienceMs / 1_000} s`);
    } else Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PIPE_PAUSE_MS);
  }
  return tooLarge;
}

/** -1 where a pipe has nothing yet. */
function readSome(file: number, chunk: Buffer): number {
  try {
    return readSync(file, chunk);
  } catch (error) {
    if (codeOf(error) === 'EAGAIN') return -1;
    throw error;
  }
}

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : 'unreadable';

/** Passes on the bytes of a stream that is too long for the memory. Throws where there are more than `maxBytes`. */
export async function* boundedBytes(
  source: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  { name, maxBytes }: { readonly name: string; readonly maxBytes: number },
): AsyncGenerator<Uint8Array> {
  let length = 0;
  for await (const bytes of source) {
    length += bytes.length;
    if (length > maxBytes) throw new Error(`${name} is larger than ${sizeText(maxBytes)}.`);
    yield bytes;
  }
}

const sizeText = (bytes: number): string => (bytes % 1024 ** 2 === 0 ? `${bytes / 1024 ** 2} MiB` : `${bytes} bytes`);
