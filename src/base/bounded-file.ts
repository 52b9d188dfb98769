import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { err, ok, type Result } from './result.ts';

/** Bytes that are read at a time. */
const CHUNK_BYTES = 1024 * 1024;

interface FileBounds {
  readonly maxBytes: number;
}

/**
 * Reads a whole file, and no more than `maxBytes` of it. Pipes and devices are not read: nothing tells whether they end.
 * The error says why not, as the rest of a sentence about the file.
 */
export function readBoundedFile(path: string, { maxBytes }: FileBounds): Result<Buffer, string> {
  try {
    // A pipe that nobody writes to must not hold the process here.
    const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      const stats = fstatSync(file);
      if (!stats.isFile()) return err('is no regular file');
      const bytes = stats.size > maxBytes ? null : readAll(file, maxBytes);
      return bytes === null ? err(`is larger than ${sizeText(maxBytes)}`) : ok(bytes);
    } finally {
      closeSync(file);
    }
  } catch (error) {
    return err(`cannot be read (${codeOf(error)})`);
  }
}

/** Null where the file has grown beyond `maxBytes`, or has a size that it does not tell. */
function readAll(file: number, maxBytes: number): Buffer | null {
  const chunks: Buffer[] = [];
  let length = 0;
  while (length <= maxBytes) {
    const chunk = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, maxBytes - length + 1));
    const read = readSync(file, chunk);
    if (read === 0) return Buffer.concat(chunks, length);
    chunks.push(chunk.subarray(0, read));
    length += read;
  }
  return null;
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
