import { closeSync, constants, fchmodSync, ftruncateSync, rmSync, writeSync } from 'node:fs';
import { openPlainFile, readOpenFile } from '../../core/base/bounded-file.ts';
import { isObject, jsonIn } from '../../core/base/json.ts';
import { toPrintable } from '../../core/base/printable.ts';
import { err, ok, type Result } from '../../core/base/result.ts';
import { MAX_FILE_BYTES } from '../../store/knowledge-base/document.ts';

/** Keeps what an export has read in a file that only its owner may read, so that an interrupted export goes on. */
export interface PartialFile {
  readonly path: string;
  isEmpty(): boolean;
  get(key: string): unknown;
  /** Throws with a message for people where all values together are more than an import reads. */
  set(key: string, value: unknown): void;
  /** Closes the file, and removes it when it is empty. */
  close(): void;
  remove(): void;
}

/** Opens or creates the file. The first line names its owner, each other line has a key with its value. */
export function openPartialFile(path: string, owner: string): Result<PartialFile, string> {
  const failure = (problem: string) => err(`${toPrintable(path)} ${problem} Remove it to begin anew.`);
  const opened = openPlainFile(path, constants.O_RDWR | constants.O_CREAT | constants.O_APPEND);
  if (!opened.ok) return failure(`${opened.error}.`);
  const file = opened.value;
  const found = readValues(file, owner);
  if (!found.ok) closeSync(file);
  if (!found.ok) return failure(found.error);
  const { values } = found.value;
  let { length } = found.value;
  const remove = () => rmSync(path, { force: true });
  const append = (line: unknown) => {
    const bytes = Buffer.from(`${JSON.stringify(line)}\n`);
    length += bytes.length;
    if (length > MAX_FILE_BYTES) throw new Error(TOO_LARGE);
    writeSync(file, bytes);
  };
  fchmodSync(file, 0o600);
  // Removes the incomplete line of an interrupted run.
  ftruncateSync(file, length);
  if (length === 0) append({ owner });
  return ok({
    path,
    isEmpty: () => values.size === 0,
    get: (key) => values.get(key),
    set(key, value) {
      append([key, value]);
      values.set(key, value);
    },
    close() {
      closeSync(file);
      if (values.size === 0) remove();
    },
    remove,
  });
}

const TOO_LARGE = `Nothing was exported: the knowledge base takes more than ${MAX_FILE_BYTES / 1024 ** 2} MiB, which no import reads.`;

/** The values of all complete lines, and their length in bytes. The error is the rest of a sentence about the file. */
function readValues(file: number, owner: string) {
  const read = readOpenFile(file, { maxBytes: MAX_FILE_BYTES });
  if (!read.ok) return err(`${read.error}.`);
  const length = read.value.lastIndexOf('\n') + 1;
  const [first, ...lines] = read.value
    .toString('utf8', 0, length)
    .split('\n')
    .slice(0, -1)
    .map((line) => jsonIn(line) ?? null);
  if (first !== undefined && (!isObject(first) || first['owner'] !== owner))
    return err('is of no export with this service and this token.');
  const values = new Map<string, unknown>();
  for (const line of lines) {
    if (!Array.isArray(line) || typeof line[0] !== 'string') return err('is damaged.');
    values.set(line[0], line[1]);
  }
  return ok({ values, length });
}
