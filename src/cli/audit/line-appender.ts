import type { FileHandle } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';

export interface LinesToAppend {
  /** False for a pipe, of which nothing can be read back. */
  readonly isFile: boolean;
  /** The size of the file before. */
  readonly size: number;
  /** Whole lines, or none: then only a torn one is ended. */
  readonly lines: string;
}

const LINE_END = 0x0a;

/** More than this is not read back to find what was written, in bytes. */
const MAX_READ_BACK = 64 * 1024 ** 2;

/** What was written is found by so many of its first bytes. */
const MARK_BYTES = 256;

/**
 * Appends lines by one write, so that they stay whole, and sees to it that they begin a line. Half a line may stand before
 * them at any time: of a crash, of a disk that was full, or of another process that appends to the same file and died in
 * its write. It stays what it is, and a new line begins. The function tells what went wrong; null: nothing.
 */
export function createLineEnds() {
  /** True where a pipe was given half a line. */
  let isPipeTorn = false;
  return async (file: FileHandle, { isFile, size, lines }: LinesToAppend): Promise<string | null> => {
    const isTorn = isFile ? !(await isLineEnd(file, size - 1)) : isPipeTorn;
    const bytes = Buffer.from(isTorn ? `\n${lines}` : lines);
    if (bytes.length === 0) return null;
    const problem = await write(file, bytes, isFile);
    isPipeTorn = problem !== null;
    if (problem !== null || !isFile || isTorn || (await beginsLine(file, size, bytes))) return problem;
    // Half a line of another process came between the look and the write.
    return write(file, Buffer.from(`\n${lines}`), isFile);
  };
}

/** How long, in milliseconds, a pipe that takes nothing now is tried, and how often: whoever reads it may stand still. */
const PIPE_MS = 4_000;
const PIPE_PAUSE_MS = 20;

/** A file takes all by one write, or has no room; a pipe, which does not block, takes what its reader leaves room for. */
async function write(file: FileHandle, bytes: Buffer, isFile: boolean): Promise<string | null> {
  const until = performance.now() + PIPE_MS;
  let written = await writeSome(file, bytes);
  while (!isFile && written < bytes.length && performance.now() < until) {
    await delay(PIPE_PAUSE_MS);
    written += await writeSome(file, bytes.subarray(written));
  }
  return written < bytes.length ? `only ${written} of ${bytes.length} bytes were written` : null;
}

async function writeSome(file: FileHandle, bytes: Buffer): Promise<number> {
  try {
    return (await file.write(bytes)).bytesWritten;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EAGAIN') return 0;
    throw error;
  }
}

/** True before the first byte of the file too. */
async function isLineEnd(file: FileHandle, position: number): Promise<boolean> {
  if (position < 0) return true;
  const { buffer } = await file.read(Buffer.alloc(1), 0, 1, position);
  return buffer[0] === LINE_END;
}

/** True where the bytes stand at the beginning of a line, for all that can be told. The file ended with one at `from`. */
async function beginsLine(file: FileHandle, from: number, bytes: Buffer): Promise<boolean> {
  const { size } = await file.stat();
  if (size === from + bytes.length) return true;
  // Others have appended too.
  const length = Math.min(size - from, MAX_READ_BACK);
  if (length <= 0) return true;
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, from);
  const at = buffer.subarray(0, bytesRead).indexOf(bytes.subarray(0, MARK_BYTES));
  return at === 0 || (at > 0 && buffer[at - 1] === LINE_END);
}
