import { appendFileSync, existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { readBoundedFile } from '../../base/bounded-file.ts';
import { replaceFile } from '../knowledge-base/new-file.ts';

/** A name that begins with a dot is no article. */
const FILE = '.kb-gateway-creations';

/** Bytes of the file. A line has less than 5 KB, and a folder has at most 20,000 files. */
const MAX_BYTES = 100 * 1024 ** 2;

/** The shortest time for which a gateway can be set to keep its keys (JOB_KEEP_DAYS), in milliseconds. */
const KEPT_MS = 24 * 60 * 60_000;

/** The files of a folder whose articles were sent, and of which no ID has come back: lines of time, key and path. */
export class BegunArticles {
  readonly #path: string;
  /** The lines by their paths, of which there are no more than files in the folder. */
  readonly #lines: Map<string, string>;

  constructor(folder: string, newPaths: ReadonlySet<string>) {
    this.#path = join(folder, FILE);
    const lines = readIfThere(this.#path).split('\n');
    const ofPaths = lines.map((line) => [line.split(' ').slice(2).join(' '), line] as const);
    this.#lines = new Map(ofPaths.filter(([path]) => newPaths.has(path)));
  }

  has(path: string): boolean {
    return this.#lines.has(path);
  }

  /** True where no answer can tell any more what became of the article, since its file or the time is another one. */
  isLost(path: string, key: string): boolean {
    const [at = '', begunKey] = this.#lines.get(path)?.split(' ') ?? [];
    return this.has(path) && (begunKey !== key || Date.now() - Date.parse(at) > KEPT_MS);
  }

  /** Keeps a file before its article is sent. */
  begin(path: string, key: string): void {
    if (this.has(path)) return;
    const line = `${new Date().toISOString()} ${key} ${path}`;
    this.#lines.set(path, line);
    appendFileSync(this.#path, `${line}\n`, { flush: true });
  }

  end(path: string): void {
    this.#lines.delete(path);
  }

  /** Leaves in the file what is open, and no file where nothing is. */
  async close(): Promise<void> {
    if (this.#lines.size === 0) rmSync(this.#path, { force: true });
    else await replaceFile(this.#path, `${[...this.#lines.values()].join('\n')}\n`);
  }
}

function readIfThere(path: string): string {
  if (!existsSync(path)) return '';
  const read = readBoundedFile(path, { maxBytes: MAX_BYTES });
  if (!read.ok) throw new Error(`${path} ${read.error}.`);
  return read.value.toString();
}
