import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { extname, join } from 'node:path';

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css',
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
};

/** Serves the files of a built site as they are, as any host of files does. */
export const createSiteServer = (folder: string): Server =>
  createServer(async (request, response) => {
    // A URL has no `..` in its path, so that nothing outside of the folder is read.
    const path = URL.parse(request.url ?? '/', 'http://site')?.pathname ?? '/';
    const file = path.endsWith('/') ? `${path}index.html` : path;
    const body = await readFile(join(folder, file)).catch(() => null);
    response.writeHead(body === null ? 404 : 200, { 'content-type': TYPES[extname(file)] ?? 'text/plain' });
    response.end(body ?? 'There is no such page.');
  });
