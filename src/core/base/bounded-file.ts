import * as fs from 'node:fs';
import { join } from 'node:path';
import { err, ok, type Result } from './result.ts';

/** The bytes that are read at a time. */
const CHUNK_BYTES = 1024 * 1024;

interface FileBounds {
  readonly maxBytes: number;
}

/**
 * Reads a whole file of at most `maxBytes`. Pipes and devices are not read, since they may never end. The error is the
 * rest of a sentence about the file.
 */
export function readBoundedFile(path: string, { maxBytes }: FileBounds): Result<Buffer, string> {
  const file = openRegularFile(path);
  if (!file.ok) return file;
  try {
    return readOpenFile(file.value, { maxBytes });
  } catch (error) {
    return err(`cannot be read (${codeOf(error)})`);
  } finally {
    fs.closeSync(file.value);
  }
}

/** Opens a file to read it. The path may be a link. The caller closes the file. */
export function openRegularFile(path: string): Result<number, string> {
  try {
    // Without O_NONBLOCK, opening a pipe without a writer would block the process.
    const file = fs.openSync(path, fs.constants.O_RDONLY | fs.constants.O_NONBLOCK);
    if (fs.fstatSync(file).isFile()) return ok(file);
    fs.closeSync(file);
    return err(NO_FILE);
  } catch (error) {
    return err(`cannot be read (${codeOf(error)})`);
  }
}

interface FolderFile {
  /** The real path of the folder, without links. */
  readonly folder: string;
  /** The path below the folder. */
  readonly path: string;
}

/**
 * Reads a file in a folder that others fill. No link is followed, in no part of the path. A link
 * that replaces a folder meanwhile is found too, since the opened file itself is checked.
 */
export function useFolderFile<T>(
  { folder, path }: FolderFile,
  use: (file: number) => Result<T, string>,
): Result<T, string> {
  const named = join(folder, path);
  const file = openPlainFile(named, fs.constants.O_RDONLY);
  if (!file.ok) return file;
  try {
    return isAt(file.value, named) ? use(file.value) : err(LINK);
  } catch (error) {
    if (!(error instanceof Error && 'syscall' in error)) throw error;
    return err(`cannot be used (${codeOf(error)})`);
  } finally {
    fs.closeSync(file.value);
  }
}

/**
 * Opens a file, or creates it where the flags say so. It must be a plain file: no link, pipe or device, and no file
 * with another name, under which it may belong to somebody else. The caller closes it.
 */
export function openPlainFile(path: string, flags: number): Result<number, string> {
  try {
    const file = fs.openSync(path, flags | fs.constants.O_NOFOLLOW | fs.constants.O_NONBLOCK, 0o600);
    const stats = fs.fstatSync(file);
    if (stats.isFile() && stats.nlink <= 1) return ok(file);
    fs.closeSync(file);
    return err(stats.isFile() ? HARD_LINK : NO_FILE);
  } catch (error) {
    return err(codeOf(error) === 'ELOOP' ? LINK : `cannot be opened (${codeOf(error)})`);
  }
}

const NO_FILE = 'is no regular file';
const LINK = 'is a link, or lies behind one, and is not followed';
const HARD_LINK = 'has another name (a hard link), and is left alone';

/** True where the open file is the one of a path without links. Linux knows the path of an open file. */
function isAt(file: number, path: string): boolean {
  if (fs.existsSync('/proc/self/fd')) return fs.readlinkSync(`/proc/self/fd/${file}`) === path;
  const [opened, named] = [fs.fstatSync(file), fs.lstatSync(path)];
  return fs.realpathSync(path) === path && opened.ino === named.ino && opened.dev === named.dev;
}

/** Reads a whole open file of at most `maxBytes`. */
export function readOpenFile(file: number, { maxBytes }: FileBounds): Result<Buffer, string> {
  const { size } = fs.fstatSync(file);
  const bytes = size > maxBytes ? null : readAll(file, size, maxBytes);
  return bytes === null ? err(`is larger than ${sizeText(maxBytes)}`) : ok(bytes);
}

/** Null where the file has grown beyond `maxBytes`, or does not report its size. */
function readAll(file: number, size: number, maxBytes: number): Buffer | null {
  // One byte more, by which a file that has grown is recognized.
  let bytes = Buffer.allocUnsafe(size + 1);
  for (let length = 0; length <= maxBytes; ) {
    const room = Math.min(maxBytes + 1, length + CHUNK_BYTES);
    if (length === bytes.length) bytes = Buffer.concat([bytes], room);
    const read = fs.readSync(file, bytes, length, bytes.length - length, length);
    if (read === 0) return bytes.subarray(0, length);
    length += read;
  }
  return null;
}

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : 'unreadable';

/** Passes on the bytes of a stream. Throws where there are more than `maxBytes`. */
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
