import type { FileHandle } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';

export interface LinesToAppend {
  /** False for a pipe, which cannot be read back. */
  readonly isFile: boolean;
  /** The size of the file before the write, in bytes. */
  readonly size: number;
  /** Whole lines. When empty, only a partial line at the end of the file is terminated. */
  readonly lines: string;
}

const LINE_END = 0x0a;

/** The most that is read back to find the written lines, in bytes. */
const MAX_READ_BACK = 64 * 1024 ** 2;

/** The number of leading bytes by which the written lines are found. */
const PREFIX_BYTES = 256;

/**
 * Appends lines with one write, so that they stay whole, and makes sure that they start on a new line. A partial line
 * may precede them at any time: after a crash, a full disk, or the death of another process that appends to the same
 * file. It is left as it is. The function returns the problem, or null if there is none.
 */
export function createLineAppender() {
  /** True when the last write to a pipe ended in a partial line. */
  let isPipeTorn = false;
  return async (file: FileHandle, { isFile, size, lines }: LinesToAppend): Promise<string | null> => {
    const isTorn = isFile ? !(await isLineEnd(file, size - 1)) : isPipeTorn;
    const bytes = Buffer.from(isTorn ? `\n${lines}` : lines);
    if (bytes.length === 0) return null;
    const problem = await writeFully(file, bytes, isFile);
    isPipeTorn = problem !== null;
    if (problem !== null || !isFile || isTorn || (await beginsLine(file, size, bytes))) return problem;
    // Another process has written a partial line between our check and our write.
    return writeFully(file, Buffer.from(`\n${lines}`), isFile);
  };
}

/** How long a full pipe is retried, and the pause between two tries, in milliseconds. */
const PIPE_TIMEOUT_MS = 4_000;
const PIPE_PAUSE_MS = 20;

/**
 * A file takes everything in one write unless the disk is full. A non-blocking pipe takes as much as it has room for.
 */
async function writeFully(file: FileHandle, bytes: Buffer, isFile: boolean): Promise<string | null> {
  const until = performance.now() + PIPE_TIMEOUT_MS;
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

/** Also true before the first byte of the file. */
async function isLineEnd(file: FileHandle, position: number): Promise<boolean> {
  if (position < 0) return true;
  const { buffer } = await file.read(Buffer.alloc(1), 0, 1, position);
  return buffer[0] === LINE_END;
}

/**
 * False if the bytes were found in the middle of a line. `from` is the size of the file before, at the end of a line.
 */
async function beginsLine(file: FileHandle, from: number, bytes: Buffer): Promise<boolean> {
  const { size } = await file.stat();
  if (size === from + bytes.length) return true;
  // Other processes have appended too.
  const length = Math.min(size - from, MAX_READ_BACK);
  if (length <= 0) return true;
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, from);
  const position = buffer.subarray(0, bytesRead).indexOf(bytes.subarray(0, PREFIX_BYTES));
  return position === 0 || (position > 0 && buffer[position - 1] === LINE_END);
}
