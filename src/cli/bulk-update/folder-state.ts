import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import { appendFileSync, existsSync, mkdirSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { overwriteOpenFile, readBoundedFile, readOpenFile, useFolderFile } from '../../core/base/bounded-file.ts';
import { err, ok, type Result } from '../../core/base/result.ts';
import { withArticleId } from '../../store/knowledge-base/front-matter.ts';

/** Bytes of a file of the state. A line has less than 5 KB, and a folder has at most 20,000 files. */
const MAX_STATE_BYTES = 100 * 1024 ** 2;

/** Bytes of a file that gets an ID. No article is created from a larger one. */
const MAX_ARTICLE_BYTES = 16 * 1024 ** 2;

/** The shortest time for which a gateway can be set to keep its keys (JOB_KEEP_DAYS), in milliseconds. */
const KEPT_MS = 24 * 60 * 60_000;

/** A file that gets an ID, as it was before. */
const changeShape = z.object({ path: z.string(), articleId: z.string(), before: z.string() });

type FileChange = z.infer<typeof changeShape>;

interface StateOptions {
  readonly folder: string;
  /** The address of the gateway, which has the articles. */
  readonly gateway: string;
  /** The folder for the state of the user's programs. */
  readonly stateHome: string;
}

/**
 * Keeps what the command needs to go on after it was killed: the files whose articles were sent and have no ID yet, and
 * the file that it was writing. The state is outside of the folder, which others may fill.
 */
export class FolderState {
  readonly #folder: string;
  readonly #home: string;
  readonly #begunPath: string;
  /** Lines of time, key and path, by their paths. */
  #lines = new Map<string, string>();

  /** Completes the file that a killed run was writing. */
  constructor({ folder, gateway, stateHome }: StateOptions) {
    this.#folder = realpathSync(folder);
    this.#home = join(stateHome, 'kb-gateway', 'folders', hashOf(this.#folder));
    this.#begunPath = join(this.#home, `${hashOf(gateway)}.creations`);
    this.#completeFile();
  }

  /** Reads the files whose articles were sent, of those that have no ID. */
  readBegun(newPaths: ReadonlySet<string>): void {
    const lines = readIfThere(this.#begunPath).split('\n');
    const ofPaths = lines.map((line) => [line.split(' ').slice(2).join(' '), line] as const);
    this.#lines = new Map(ofPaths.filter(([path]) => newPaths.has(path)));
  }

  hasBegun(path: string): boolean {
    return this.#lines.has(path);
  }

  /** True where the outcome of the creation can't be found out, since the file has changed or the key has expired. */
  isLost(path: string, key: string): boolean {
    const [at = '', begunKey] = this.#lines.get(path)?.split(' ') ?? [];
    return this.hasBegun(path) && (begunKey !== key || Date.now() - Date.parse(at) > KEPT_MS);
  }

  /** Keeps a file before its article is sent. The error says why its ID could not be written into it. */
  begin(path: string, key: string): Result<void, string> {
    const writable = useFolderFile({ folder: this.#folder, path }, 'change', () => ok(undefined));
    if (!writable.ok || this.hasBegun(path)) return writable;
    const line = `${new Date().toISOString()} ${key} ${path}`;
    this.#lines.set(path, line);
    this.#open();
    appendFileSync(this.#begunPath, `${line}\n`, { flush: true, mode: 0o600 });
    return ok(undefined);
  }

  end(path: string): void {
    this.#lines.delete(path);
  }

  /** Writes the ID into the file, which is read anew: somebody may have changed it meanwhile. */
  writeId(path: string, articleId: string): Result<void, string> {
    return useFolderFile({ folder: this.#folder, path }, 'change', (file) => {
      const read = readOpenFile(file, { maxBytes: MAX_ARTICLE_BYTES });
      if (!read.ok) return read;
      const before = isUtf8(read.value) ? read.value.toString() : null;
      const after = before === null ? null : withArticleId(before, articleId);
      if (before === null || after === null) return err('takes no ID in its front matter. Write it there.');
      this.#replace(this.#changePath, JSON.stringify({ path, articleId, before } satisfies FileChange));
      overwriteOpenFile(file, Buffer.from(after));
      rmSync(this.#changePath, { force: true });
      return ok(undefined);
    });
  }

  /** Removes the state where nothing is open, and keeps it otherwise. */
  close(): void {
    if (this.#lines.size > 0) this.#replace(this.#begunPath, `${[...this.#lines.values()].join('\n')}\n`);
    else rmSync(this.#begunPath, { force: true });
  }

  get #changePath(): string {
    return join(this.#home, 'change');
  }

  #open(): void {
    mkdirSync(this.#home, { recursive: true, mode: 0o700 });
  }

  /** Overwrites a draft that a killed run has left. */
  #replace(path: string, content: string): void {
    this.#open();
    writeFileSync(`${path}.new`, content, { flush: true, mode: 0o600 });
    renameSync(`${path}.new`, path);
  }

  /** Completes a file that begins as the new content and ends as the old one. Any other file is left alone. */
  #completeFile(): void {
    const kept = readIfThere(this.#changePath);
    if (kept === '') return;
    const { path, articleId, before } = changeShape.parse(JSON.parse(kept));
    const after = Buffer.from(withArticleId(before, articleId) ?? before);
    useFolderFile({ folder: this.#folder, path }, 'change', (file) => {
      const read = readOpenFile(file, { maxBytes: MAX_ARTICLE_BYTES });
      if (read.ok && isBetween(read.value, Buffer.from(before), after)) overwriteOpenFile(file, after);
      return read;
    });
    rmSync(this.#changePath, { force: true });
  }
}

/** True where the bytes begin as the new content and, from the same position on, end as the old one does. */
function isBetween(bytes: Buffer, before: Buffer, after: Buffer): boolean {
  let written = 0;
  while (written < bytes.length && bytes[written] === after[written]) written += 1;
  return bytes.subarray(written).equals(before.subarray(written));
}

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 32);

function readIfThere(path: string): string {
  if (!existsSync(path)) return '';
  const read = readBoundedFile(path, { maxBytes: MAX_STATE_BYTES });
  if (!read.ok) throw new Error(`${path} ${read.error}.`);
  return read.value.toString();
}
