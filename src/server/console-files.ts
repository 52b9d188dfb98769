import { execFile } from 'node:child_process';
import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import type { ConsoleFile, ConsoleFiles } from './http/handlers/console-page.ts';

/** The root of the package, two levels above this folder and above the folders of the bundles in `dist`. */
const ROOT = new URL('../../', import.meta.url);

const FOLDER = new URL('dist/console/', ROOT);

/** The content types of files by extension. Other files are not served. */
const CONTENT_TYPES: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
};

/**
 * Reads the built files of the console. The repository has their sources instead, which are built first where the built
 * files are missing or older.
 */
export async function readConsoleFiles(): Promise<ConsoleFiles> {
  if (import.meta.url.endsWith('.ts'))
    await promisify(execFile)(process.execPath, ['scripts/console-page.ts'], { cwd: ROOT });
  const names = await readdir(FOLDER);
  const served = names.filter((name) => CONTENT_TYPES[typeOf(name)] !== undefined);
  return new Map(await Promise.all(served.map(async (name) => [name, await readConsoleFile(name)] as const)));
}

/** Reads the texts of the console's documents, by the IDs that it sends. */
export const readConsoleDocuments = (): ReadonlyMap<string, string> =>
  new Map(
    Object.entries(JSON.parse(readFileSync(new URL('console/src/generated/persisted-documents.json', ROOT), 'utf8'))),
  );

const typeOf = (name: string): string => name.slice(name.lastIndexOf('.') + 1);

async function readConsoleFile(name: string): Promise<ConsoleFile> {
  const read = (end: string) => readFile(new URL(`${name}${end}`, FOLDER));
  const [identity, br, gzip] = await Promise.all([read(''), read('.br'), read('.gz')]);
  const tag = hash('sha256', identity, 'base64url');
  return { contentType: CONTENT_TYPES[typeOf(name)] ?? '', tag, bytes: { identity, br, gzip } };
}
