import {
  closeSync,
  constants,
  fsyncSync,
  lstatSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { readOpenFile, useFolderFile } from '../../core/base/bounded-file.ts';
import { jsonIn } from '../../core/base/json.ts';
import { err, ok, type Result } from '../../core/base/result.ts';
import { compareTexts } from '../../core/base/text.ts';
import { type KeptEntry, keptText } from '../../core/plans/apply-run.ts';

export const LOCK_FILE = 'kb-gateway.lock.json';

const entryShape = z.strictObject({
  target: z.string(),
  /** A file, or a folder with `/` at its end. */
  path: z.string(),
  id: z.string(),
  language: z.string().optional(),
});

/** The lines as they are written, also where a formatter has set entries over several, or an editor a byte order mark. */
function linesOf(text: string): readonly string[] {
  const entries = jsonIn(text.trim());
  return Array.isArray(entries) ? ['[', ...entries.map((entry) => JSON.stringify(entry)), ']'] : text.split(/\r?\n/u);
}

const MAX_BYTES = 64 * 1024 ** 2;

/**
 * The file of a folder that says which file is which article, for each target. One entry is one line, so that git merges
 * it; a comma too many or too few after a merge does no harm.
 */
export class LockFile {
  readonly #root: string;
  /** By target and path. */
  readonly #entries = new Map<string, KeptEntry>();

  private constructor(root: string) {
    this.#root = root;
  }

  /** Reads the file of a folder, which may have none. The error says what has to be mended. */
  static read(folder: string): Result<LockFile, string> {
    const root = realpathSync(folder);
    const lock = new LockFile(root);
    if (lstatSync(join(root, LOCK_FILE), { throwIfNoEntry: false }) === undefined) return ok(lock);
    const read = useFolderFile({ folder: root, path: LOCK_FILE }, (file) =>
      readOpenFile(file, { maxBytes: MAX_BYTES }),
    );
    if (!read.ok) return err(`${LOCK_FILE} ${read.error}.`);
    for (const [index, line] of linesOf(read.value.toString()).entries()) {
      const problem = lock.#addLine(line.trim());
      if (problem !== null) return err(`${LOCK_FILE}, line ${index + 1}: ${problem}`);
    }
    const twice = lock.#articleTwice();
    return twice === null ? ok(lock) : err(`${LOCK_FILE}: ${twice}`);
  }

  #addLine(line: string): string | null {
    if (/^(?:<{7}|={7}|>{7}|\|{7})/u.test(line)) return 'git has left marks of a conflict. Settle it first.';
    if (['', '[', ']', ','].includes(line)) return null;
    const entry = entryShape.safeParse(jsonIn(line.replace(/,$/u, ''))).data;
    if (entry === undefined) return 'is no entry.';
    const known = this.#entries.get(keyOf(entry));
    if (known !== undefined && known.id !== entry.id)
      return `${entry.path} is ${known.id} and ${entry.id}. Remove one line.`;
    this.#entries.set(keyOf(entry), entry);
    return null;
  }

  #articleTwice(): string | null {
    const paths = new Map<string, string>();
    for (const { target, path, id, language } of this.#entries.values()) {
      // Folders of one name may share a category.
      if (path.endsWith('/')) continue;
      const key = JSON.stringify([target, id, language]);
      const other = paths.get(key);
      if (other !== undefined) return `${other} and ${path} are both the article ${id}. Remove one line.`;
      paths.set(key, path);
    }
    return null;
  }

  entriesOf(target: string): readonly KeptEntry[] {
    return [...this.#entries.values()].filter((entry) => entry.target === target);
  }

  /** Sets entries. Another path of the same article loses it. */
  set(entries: readonly KeptEntry[]): void {
    const ids = new Set(entries.map(({ target, id, language }) => JSON.stringify([target, id, language])));
    for (const [key, { target, id, language }] of this.#entries)
      if (ids.has(JSON.stringify([target, id, language]))) this.#entries.delete(key);
    for (const entry of entries) this.#entries.set(keyOf(entry), entry);
  }

  /** Replaces the file as a whole. No link is followed, since the file gets its name only at the end. */
  write(): Result<void, string> {
    const entries = [...this.#entries.values()].toSorted(
      (one, other) => compareTexts(one.target, other.target) || compareTexts(one.path, other.path),
    );
    const path = join(this.#root, LOCK_FILE);
    const found = lstatSync(path, { throwIfNoEntry: false });
    if (found !== undefined && !found.isFile()) return err(`${LOCK_FILE} is no regular file, and is not written.`);
    if (realpathSync(this.#root) !== this.#root)
      return err('the folder has become a link, and nothing is written there.');
    // A draft that a killed run has left is removed, whatever it is: that follows no link either.
    const draft = join(this.#root, `.${LOCK_FILE}.part`);
    try {
      rmSync(draft, { force: true });
      const file = openSync(
        draft,
        constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW,
        0o644,
      );
      try {
        writeFileSync(file, entries.length === 0 ? '[\n]\n' : keptText(entries));
        fsyncSync(file);
      } finally {
        closeSync(file);
      }
      renameSync(draft, path);
      return ok(undefined);
    } catch (error) {
      if (!(error instanceof Error && 'code' in error)) throw error;
      return err(`${LOCK_FILE} can't be written (${error.code}).`);
    }
  }
}

const keyOf = ({ target, path }: KeptEntry): string => JSON.stringify([target, path]);
