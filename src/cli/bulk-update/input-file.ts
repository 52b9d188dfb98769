import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream, rmSync } from 'node:fs';
import { mkdtemp, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { boundedBytes } from '../../base/bounded-file.ts';
import { toPrintable } from '../../base/printable.ts';
import { err, ok, type Result } from '../../base/result.ts';

export type InputFormat = 'csv' | 'json' | 'ndjson';

/** A file that is read several times. */
export interface InputFile {
  /** The name for messages. */
  readonly name: string;
  /** Reads the file from its start. Throws with a message for people where it is not UTF-8. */
  read(): InputReading;
  /** Removes a copy that was made. */
  close(): void;
}

interface InputReading {
  readonly text: AsyncIterable<string>;
  /** The digest of the whole file, once all of the text was read; null before. */
  digest(): string | null;
}

interface InputSource {
  readonly stdin: Readable;
  /** Ends a reading, which then throws. */
  readonly signal: AbortSignal;
  readonly maxBytes?: number;
}

/** As much as a gateway keeps of all jobs together, unless its `MAX_STATE_BYTES` is more. */
const MAX_INPUT_BYTES = 1024 ** 3;

/** Opens a file, or copies stdin (`-`) to a file that only its owner may read. */
export async function openInputFile(path: string, source: InputSource): Promise<Result<InputFile, string>> {
  if (path === '-') return ok(await copyStdin(source));
  const name = toPrintable(path);
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => `${error.code}`);
  if (typeof found === 'string') return err(`${name} cannot be read (${found}).`);
  return found.isFile()
    ? ok({ name, read: () => readText(path, name, source), close: () => {} })
    : err(`${name} is no file. Use - to read from a pipe.`);
}

async function copyStdin(source: InputSource): Promise<InputFile> {
  const { stdin, signal, maxBytes = MAX_INPUT_BYTES } = source;
  const folder = await mkdtemp(join(tmpdir(), 'kb-gateway-bulk-update-'));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  // Ctrl-C and failures end the process without a call of `close`.
  process.once('exit', remove);
  const [name, copy] = ['stdin', join(folder, 'stdin')];
  await pipeline(boundedBytes(stdin, { name, maxBytes }), createWriteStream(copy, { mode: 0o600 }), { signal });
  const close = () => {
    process.off('exit', remove);
    remove();
  };
  return { name, read: () => readText(copy, name, source), close };
}

function readText(path: string, name: string, { signal, maxBytes = MAX_INPUT_BYTES }: InputSource): InputReading {
  let digest: string | null = null;
  const decodeAndHash = async function* () {
    const hash = createHash('sha256');
    const decode = createDecoder(name);
    const source = createReadStream(path, { highWaterMark: 256 * 1024, signal });
    for await (const bytes of boundedBytes(source, { name, maxBytes })) {
      hash.update(bytes);
      yield decode(bytes);
    }
    yield decode();
    digest = hash.digest('hex');
  };
  return { text: decodeAndHash(), digest: () => digest };
}

/** Decodes pieces of a file, and without one its end. A byte order mark is left out. */
function createDecoder(name: string): (bytes?: Uint8Array) => string {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  return (bytes) => {
    try {
      return decoder.decode(bytes, { stream: bytes !== undefined });
    } catch (cause) {
      throw new Error(`${name} is not UTF-8. Save it as UTF-8.`, { cause });
    }
  };
}
