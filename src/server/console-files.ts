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

/** The repository has the sources of the built files instead, which are built first where these are missing or older. */
async function buildInRepository(): Promise<void> {
  if (import.meta.url.endsWith('.ts'))
    await promisify(execFile)(process.execPath, ['scripts/console-page.ts'], { cwd: ROOT });
}

/** Reads the built files of the console. */
export async function readConsoleFiles(): Promise<ConsoleFiles> {
  await buildInRepository();
  const names = await readdir(FOLDER);
  const served = names.filter((name) => CONTENT_TYPES[typeOf(name)] !== undefined);
  return new Map(await Promise.all(served.map(async (name) => [name, await readConsoleFile(name)] as const)));
}

export interface GraphiQLOptions {
  /** True where the page asks for a JWT instead of an API token. */
  readonly byJwt: boolean;
  /** False where the page opens without examples, which would name parts of the schema. */
  readonly showsSchema: boolean;
}

/** Reads the page of GraphiQL, and writes the options into it. */
export async function readGraphiQL({ byJwt, showsSchema }: GraphiQLOptions): Promise<string> {
  await buildInRepository();
  const read = (name: string) => readFile(new URL(`graphiql/${name}`, FOLDER), 'utf8');
  const [page, examples] = await Promise.all([read('page.html'), showsSchema ? read('examples.json') : '[]']);
  return page.replace(
    '"options of the gateway"',
    () => `{"byJwt":${byJwt},"examples":${examples.replaceAll('<', '\\u003c')}}`,
  );
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
