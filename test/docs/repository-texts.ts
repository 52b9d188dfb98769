import { glob, readFile } from 'node:fs/promises';

/** Texts of the repository by their path, such as `docs/service.md`. */
export type Texts = ReadonlyMap<string, string>;

/** Installed packages, generated files, and the figures of runs. */
const SKIPPED = new Set(['node_modules', 'package-lock.json', 'generated', 'results', 'dist']);

/** The code, its fixtures, and what deploys it. */
export const readCode = (): Promise<Texts> =>
  readTexts('{src,test,bench,scripts,examples,deploy}/**/*.{ts,tsx,js,json,graphql,yaml,conf}');

/** The pages for people. */
export const readPages = (): Promise<Texts> => readTexts('{*.md,docs/**/*.md,examples/**/*.md,src/*/README.md}');

async function readTexts(pattern: string): Promise<Texts> {
  const paths: string[] = [];
  for await (const entry of glob(pattern, { exclude: (path) => path.split('/').some((name) => SKIPPED.has(name)) })) {
    paths.push(entry);
  }
  return new Map(await Promise.all(paths.sort().map(async (path) => [path, await readFile(path, 'utf8')] as const)));
}
