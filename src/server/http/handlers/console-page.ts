import type { RouteHandler } from '../requests/request-body.ts';
import { notFound, type SendError } from '../responses/errors.ts';
import { matchesEntityTag, sendBody, sendText } from '../responses/send-response.ts';
import { PAGE_SECURITY_HEADERS } from './page-headers.ts';

/** The encodings in which the files of the console lie in memory, the smallest first. */
const ENCODINGS = ['br', 'gzip', 'identity'] as const;

/** A file of the console. */
export interface ConsoleFile {
  readonly contentType: string;
  /** A strong ETag without its quotes. */
  readonly tag: string;
  readonly bytes: Readonly<Record<(typeof ENCODINGS)[number], Uint8Array>>;
}

/** The files of the console by their names. The page itself is `index.html`; the names of all others hold a hash of their bytes. */
export type ConsoleFiles = ReadonlyMap<string, ConsoleFile>;

const PAGE = 'index.html';

const SECURITY_HEADERS = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; connect-src 'self'; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  ...PAGE_SECURITY_HEADERS,
};

/** Asked about before each use, since it names the others. */
const PAGE_CACHING = 'no-cache';

const FILE_CACHING = 'public, max-age=31536000, immutable';

interface ConsoleOptions {
  /** Called at the first request. */
  readonly readFiles: () => Promise<ConsoleFiles>;
  readonly sendError: SendError;
}

/** Sends the console, the page for docs teams: `/console`, and its files below. It is the same for everybody and holds no token. */
export function createConsoleHandler({ readFiles, sendError }: ConsoleOptions): RouteHandler {
  let files: ReturnType<typeof readFiles> | null = null;
  return async ({ request: { url = '', headers }, outgoing }) => {
    const [path = ''] = url.split('?', 1);
    // With the slash, the page would look for its files in another place.
    if (path === '/console/') return sendText(outgoing, { status: 308, headers: { location: '../console' }, body: '' });
    files ??= readFiles().catch((error: unknown) => {
      files = null;
      throw error;
    });
    const name = path === '/console' ? PAGE : path.slice('/console/'.length);
    const file = (await files).get(name);
    if (file === undefined) return sendError(outgoing, notFound);
    const encoding = encodingFor(headers['accept-encoding']?.toString() ?? '');
    const etag = `"${file.tag}-${encoding}"`;
    const cacheHeaders = {
      'cache-control': name === PAGE ? PAGE_CACHING : FILE_CACHING,
      vary: 'accept-encoding',
      etag,
    };
    if (matchesEntityTag(headers['if-none-match'] ?? '', etag))
      return sendText(outgoing, { status: 304, headers: cacheHeaders, body: '' });
    const contentHeaders = {
      ...SECURITY_HEADERS,
      'content-type': file.contentType,
      ...(encoding !== 'identity' && { 'content-encoding': encoding }),
    };
    const body = file.bytes[encoding];
    return sendBody(outgoing, { status: 200, headers: { ...cacheHeaders, ...contentHeaders }, body, isShared: true });
  };
}

/** The first encoding that the header names and does not refuse. */
const encodingFor = (acceptEncoding: string) =>
  ENCODINGS.find((name) =>
    new RegExp(`(?:^|,)\\s*${name}\\s*(?:,|$|;(?!\\s*q=0(?:\\.0*)?\\s*(?:,|$)))`, 'iu').test(acceptEncoding),
  ) ?? 'identity';
