import { execFile } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createSiteServer } from '../../site/site-server.ts';
import { needs } from '../support/needs.ts';
import { portOf } from '../support/ports.ts';

const SITE = 'site';
const VITEPRESS = 'node_modules/vitepress/bin/vitepress.js';
const TSC = 'node_modules/typescript/bin/tsc';

/** The site has packages of its own. */
export const NEEDS_SITE_PACKAGES = needs(
  [VITEPRESS, 'node_modules/beautiful-mermaid'].every((path) => existsSync(join(SITE, path))),
  `the packages of ${SITE} are not installed (npm ci --prefix ${SITE})`,
);

export interface BuiltSite {
  readonly url: string;
  /** The paths of all pages, such as `/concepts/jobs.html`. */
  readonly pages: readonly string[];
  /** The HTML of a page. */
  htmlOf(page: string): string;
  close(): Promise<void>;
}

/** The output of the compiler for the sources of the site; empty when there is no error. */
export const checkSiteTypes = (): Promise<string> =>
  promisify(execFile)(process.execPath, [TSC, '-p', SITE]).then(
    ({ stdout }) => stdout,
    ({ stdout, message }) => stdout || message,
  );

/** Builds the site into a folder of its own, and serves its files as `npm run docs` does. */
export async function buildSite(): Promise<BuiltSite> {
  const folder = await mkdtemp(join(tmpdir(), 'kb-gateway-site-'));
  await promisify(execFile)(process.execPath, [VITEPRESS, 'build', '--outDir', folder], { cwd: SITE });
  const server = createSiteServer(folder);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    url: `http://127.0.0.1:${portOf(server.address())}`,
    pages: globSync('**/*.html', { cwd: folder })
      .filter((page) => page !== '404.html')
      .map((page) => `/${page}`)
      .sort(),
    htmlOf: (page) => readFileSync(join(folder, page), 'utf8'),
    close: async () => {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
      await rm(folder, { recursive: true });
    },
  };
}
