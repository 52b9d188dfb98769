import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { lstat, open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { PassThrough, type Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { err, ok, type Result } from '../../core/base/result.ts';

/** A file that is written under a draft name, so that nobody finds half of it. The errors are reasons for people. */
export interface NewFile {
  /** The name under which it is written. */
  readonly draft: string;
  /** Writes and flushes the whole content once, through `transform` where that is given. */
  write(content: AsyncIterable<Uint8Array>, transform?: Transform): Promise<Result<void, string>>;
  /** Renames the draft to its final name. It never replaces a file. */
  publish(): Promise<Result<void, string>>;
  /** Removes the file unless it was published. */
  discard(): void;
}

export async function createNewFile(path: string): Promise<Result<NewFile, string>> {
  const draft = draftOf(path);
  // This early check avoids reads in vain. `publish` claims the name later.
  const found = await lstat(path).catch(() => null);
  if (found !== null) return err(EXISTS);
  const created = await attemptFile(() => open(draft, 'wx', 0o600));
  if (!created.ok) return created;
  const file = created.value;
  return ok({
    draft,
    // The handle is used instead of the name, which whoever can write to the folder may give to another file. The
    // stream closes the file when it ends: a handle whose stream is left open can't be closed.
    write: (content, transform = new PassThrough()) =>
      attemptFile(() => pipeline(content, transform, file.createWriteStream({ flush: true }))),
    publish: () => attemptFile(() => publish(draft, path)),
    discard: () => {
      void file.close().catch(() => {});
      rmSync(draft, { force: true });
    },
  });
}

/** Writes a new file as a whole. */
export async function writeNewFile(path: string, content: AsyncIterable<Uint8Array>): Promise<Result<void, string>> {
  const file = await createNewFile(path);
  if (!file.ok) return file;
  try {
    const written = await file.value.write(content);
    return written.ok ? await file.value.publish() : written;
  } finally {
    file.value.discard();
  }
}

const draftOf = (path: string): string => join(dirname(path), `.kb-gateway-${randomBytes(8).toString('hex')}.part`);

/** Claims the name by an empty file, which the content then replaces at once: a name can be claimed only once. */
async function publish(draft: string, path: string): Promise<void> {
  await (await open(path, 'wx', 0o600)).close();
  await rename(draft, path).catch(async (error: unknown) => {
    await rm(path, { force: true });
    throw error;
  });
}

const EXISTS = 'the file exists already. Choose another name, or remove it first.';

/** Returns the error of a system call as a value. Throws any other error. */
async function attemptFile<T>(work: () => Promise<T>): Promise<Result<T, string>> {
  try {
    return ok(await work());
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && 'syscall' in error)) throw error;
    return err(error.code === 'EEXIST' ? EXISTS : `the file cannot be written (${error.code}).`);
  }
}
