import { randomBytes } from 'node:crypto';
import { createWriteStream, rmSync } from 'node:fs';
import { chmod, lstat, open, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { PassThrough, type Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { err, ok, type Result } from '../../base/result.ts';

/** A file that is written under another name, so that nobody finds half of it. The errors say why it cannot be. */
export interface NewFile {
  /** The name under which it is written. */
  readonly draft: string;
  /** Writes the content, changed on its way by `transform`. */
  write(content: AsyncIterable<Uint8Array>, transform?: Transform): Promise<Result<void, string>>;
  /** Gives the file its name once it is on the disk. It never replaces a file. */
  publish(): Promise<Result<void, string>>;
  /** Removes the file unless it was published. */
  discard(): void;
}

/** Creates a file that only its owner may read. */
export async function createNewFile(path: string): Promise<Result<NewFile, string>> {
  const draft = draftOf(path);
  // Checked early, before anything is read for nothing. Later `publish` claims the name.
  const found = await lstat(path).catch(() => null);
  if (found !== null) return err(EXISTS);
  const created = await attemptFile(() => createEmpty(draft));
  if (!created.ok) return created;
  return ok({
    draft,
    write: (content, transform = new PassThrough()) =>
      attemptFile(() => pipeline(content, transform, createWriteStream(draft, { flags: 'r+' }))),
    publish: () => attemptFile(() => publish(draft, path)),
    discard: () => rmSync(draft, { force: true }),
  });
}

/** Replaces the content of a file at once: whoever reads it finds the old or the new one. */
export async function replaceFile(path: string, content: string): Promise<Result<void, string>> {
  const draft = draftOf(path);
  const replaced = await attemptFile(async () => {
    const { mode } = await stat(path);
    await writeFile(draft, content, { flag: 'wx', mode: 0o600, flush: true });
    await chmod(draft, mode);
    await rename(draft, path);
  });
  if (!replaced.ok) rmSync(draft, { force: true });
  return replaced;
}

const draftOf = (path: string): string => join(dirname(path), `.kb-gateway-${randomBytes(8).toString('hex')}.part`);

/** Fails when there is a file of this name. */
const createEmpty = async (path: string): Promise<void> => (await open(path, 'wx', 0o600)).close();

/** Claims the name by an empty file, which the content then replaces at once: a name can be claimed only once. */
async function publish(draft: string, path: string): Promise<void> {
  const file = await open(draft, 'r+');
  await file.sync().finally(() => file.close());
  await createEmpty(path);
  await rename(draft, path).catch(async (error: unknown) => {
    await rm(path, { force: true });
    throw error;
  });
}

const EXISTS = 'the file exists already. Choose another name, or remove it first.';

/** Throws what is no failure of a call of the system. */
async function attemptFile(work: () => Promise<void>): Promise<Result<void, string>> {
  try {
    return ok(await work());
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && 'syscall' in error)) throw error;
    return err(error.code === 'EEXIST' ? EXISTS : `the file cannot be written (${error.code}).`);
  }
}
