import { hash } from 'node:crypto';
import type { ConsoleIssuer } from '../../auth/console-issuer.ts';
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

/** The page to which the issuer sends people back, also in a frame of the console. */
const SIGNED_IN_PAGE = 'signed-in.html';

/** The policy of a page. Beside its own gateway it connects to, and has frames of, the issuer alone. */
const securityHeaders = ({ connect = '', frames = '', ancestors = "'none'" }) => ({
  ...PAGE_SECURITY_HEADERS,
  'content-security-policy': `default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; connect-src 'self'${connect};${frames} object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors ${ancestors}`,
});

const OWN_HEADERS = securityHeaders({});

const SIGNED_IN_HEADERS = { ...securityHeaders({ ancestors: "'self'" }), 'x-frame-options': 'SAMEORIGIN' };

/** Asked about before each use, since it names the others. */
const PAGE_CACHING = 'no-cache';

const FILE_CACHING = 'public, max-age=31536000, immutable';

/** A file with what its answer says of it. */
interface ServedFile extends ConsoleFile {
  readonly encodings: readonly (typeof ENCODINGS)[number][];
  readonly caching: string;
  readonly security: Readonly<Record<string, string>>;
}

interface ConsoleOptions {
  /** Called at the first request. */
  readonly readFiles: () => Promise<ConsoleFiles>;
  /** Reads where people sign in; null where they type a token. */
  readonly readIssuer: (() => Promise<ConsoleIssuer>) | null;
  readonly sendError: SendError;
}

/** Sends the console, the page for docs teams: `/console`, and its files below. It is the same for everybody and holds no token. */
export function createConsoleHandler({ readFiles, readIssuer, sendError }: ConsoleOptions): RouteHandler {
  let files: ReturnType<typeof readFiles> | null = null;
  return async ({ request: { url = '', headers }, outgoing }) => {
    const [path = ''] = url.split('?', 1);
    // With the slash, the page would look for its files in another place.
    if (path === '/console/') return sendText(outgoing, { status: 308, headers: { location: '../console' }, body: '' });
    files ??= readFiles().catch((error: unknown) => {
      files = null;
      throw error;
    });
    const file = await fileAt(path, await files, readIssuer);
    if (file === undefined) return sendError(outgoing, notFound);
    const encoding = encodingFor(headers['accept-encoding']?.toString() ?? '', file.encodings);
    const etag = `"${file.tag}-${encoding}"`;
    const cacheHeaders = { 'cache-control': file.caching, vary: 'accept-encoding', etag };
    if (matchesEntityTag(headers['if-none-match'] ?? '', etag))
      return sendText(outgoing, { status: 304, headers: cacheHeaders, body: '' });
    const contentHeaders = {
      ...file.security,
      'content-type': file.contentType,
      ...(encoding !== 'identity' && { 'content-encoding': encoding }),
    };
    const body = file.bytes[encoding];
    return sendBody(outgoing, { status: 200, headers: { ...cacheHeaders, ...contentHeaders }, body, isShared: true });
  };
}

async function fileAt(
  path: string,
  files: ConsoleFiles,
  readIssuer: ConsoleOptions['readIssuer'],
): Promise<ServedFile | undefined> {
  const serve = (name: string, more: Pick<ServedFile, 'caching' | 'security'>): ServedFile | undefined => {
    const file = files.get(name);
    return file && { ...file, encodings: ENCODINGS, ...more };
  };
  if (path === '/console') {
    const page = serve(PAGE, { caching: PAGE_CACHING, security: OWN_HEADERS });
    return page && readIssuer ? withIssuer(page, await readIssuer()) : page;
  }
  if (path === '/console/signed-in')
    return readIssuer ? serve(SIGNED_IN_PAGE, { caching: PAGE_CACHING, security: SIGNED_IN_HEADERS }) : undefined;
  const name = path.slice('/console/'.length);
  return name.endsWith('.html') ? undefined : serve(name, { caching: FILE_CACHING, security: OWN_HEADERS });
}

/** The page with what it needs to know of the issuer. It is small, so it is sent uncompressed. */
function withIssuer(page: ServedFile, issuer: ConsoleIssuer): ServedFile {
  const json = JSON.stringify(issuer).replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
  const text = Buffer.from(page.bytes.identity).toString();
  const identity = Buffer.from(text.replace('</head>', () => `<meta name="issuer" content="${json}"></head>`));
  return {
    ...page,
    tag: hash('sha256', identity, 'base64url'),
    bytes: { ...page.bytes, identity },
    encodings: ['identity'],
    security: issuer.metadata ? issuerHeaders(issuer.metadata) : OWN_HEADERS,
  };
}

function issuerHeaders({ authorizationEndpoint, tokenEndpoint }: NonNullable<ConsoleIssuer['metadata']>) {
  const { origin, pathname } = new URL(tokenEndpoint);
  // In a policy, these two end a source.
  const path = pathname.replaceAll(';', '%3B').replaceAll(',', '%2C');
  const frames = ` frame-src 'self' ${new URL(authorizationEndpoint).origin};`;
  return securityHeaders({ connect: ` ${origin}${path}`, frames });
}

/** The first encoding that the header names and does not refuse. */
const encodingFor = (acceptEncoding: string, encodings: ServedFile['encodings']) =>
  encodings.find((name) =>
    new RegExp(`(?:^|,)\\s*${name}\\s*(?:,|$|;(?!\\s*q=0(?:\\.0*)?\\s*(?:,|$)))`, 'iu').test(acceptEncoding),
  ) ?? 'identity';
