import { generateKeyPairSync, hash, randomBytes, randomUUID, sign, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';

/** Who may sign in, with the scopes of docs/security.md, "Client authentication". */
export const PEOPLE: ReadonlyMap<string, string> = new Map([
  ['ada', 'read articles:write groups:write'],
  ['bo', 'read articles:write'],
  ['chidi', 'read'],
]);

const AUDIENCE = 'kb-gateway';
const JWT_SECONDS = 300;
const SESSION_COOKIE = 'kb_example_session';
const MAX_SESSIONS = 100;
const MAX_BODY_BYTES = 1024;

export interface Issuer {
  readonly url: string;
  /** The password of everybody. It is new at each start, since this machine may have other users. */
  readonly password: string;
  /** The settings of a gateway that accepts the JWTs. */
  readonly settings: Readonly<Record<string, string>>;
  close(): void;
}

/**
 * A small identity provider for this machine, in place of yours. `POST /session` signs a person in, `POST
 * /session/token` gives the person of the session cookie a JWT, and `DELETE /session` signs out. No script can read the
 * cookie, and no page of another site can send it.
 */
export async function startIssuer(port = 0): Promise<Issuer> {
  const password = randomBytes(12).toString('base64url');
  const keys = createKeys();
  const server = createServer();
  await new Promise<void>((listening, failed) => {
    server.once('error', failed).listen(port, '127.0.0.1', listening);
  });
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : port}/`;
  const routes: Readonly<Record<string, Handler>> = {
    'GET /jwks.json': (_request, response) => send(response, 200, { keys: [keys.publicJwk] }),
    ...sessionRoutes(password, (name, scope) => keys.sign({ iss: url, aud: AUDIENCE, sub: name, scope })),
  };
  server.on('request', async (request, response) => {
    const handler = routes[`${request.method} ${request.url}`];
    // A page of another site cannot send this content type without asking first.
    const isForm = request.method === 'POST' && request.headers['content-type'] !== 'application/json';
    try {
      await (handler && !isForm ? handler(request, response) : send(response, handler ? 415 : 404));
    } catch {
      response.destroy();
    }
  });
  const settings = {
    CLIENT_JWKS_URL: `${url}jwks.json`,
    CLIENT_JWT_ISSUER: url,
    CLIENT_JWT_AUDIENCE: AUDIENCE,
  };
  return { url, password, settings, close: () => server.close() };
}

function sessionRoutes(password: string, signJwt: (name: string, scope: string) => string) {
  const sessions = new Map<string, string>();
  const giveJwt = (response: ServerResponse, name: string) => {
    const scope = PEOPLE.get(name);
    if (scope === undefined) return send(response, 401);
    return send(response, 200, { token: signJwt(name, scope), expiresIn: JWT_SECONDS, name, scope });
  };
  const signIn: Handler = async (request, response) => {
    const sent = await readJson(request);
    if (typeof sent !== 'object' || sent === null) return send(response, 400);
    const { name, password: tried } = { name: null, password: null, ...sent };
    if (typeof name !== 'string' || !PEOPLE.has(name) || !isSame(tried, password)) return send(response, 401);
    const [oldest] = sessions.keys();
    if (sessions.size >= MAX_SESSIONS && oldest !== undefined) sessions.delete(oldest);
    const session = randomBytes(24).toString('base64url');
    sessions.set(session, name);
    response.setHeader('set-cookie', cookieOf(session));
    return giveJwt(response, name);
  };
  const renew: Handler = (request, response) => giveJwt(response, sessions.get(sessionOf(request)) ?? '');
  const signOut: Handler = (request, response) => {
    sessions.delete(sessionOf(request));
    response.setHeader('set-cookie', `${cookieOf('')}; Max-Age=0`);
    send(response, 204);
  };
  return { 'POST /session': signIn, 'POST /session/token': renew, 'DELETE /session': signOut };
}

type Handler = (request: IncomingMessage, response: ServerResponse) => void | Promise<void>;

function createKeys() {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const kid = randomUUID();
  const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');
  return {
    publicJwk: { ...publicKey.export({ format: 'jwk' }), kid, alg: 'ES256', use: 'sig' },
    sign(claims: object): string {
      const now = Math.floor(Date.now() / 1000);
      const signed = [
        encode({ alg: 'ES256', typ: 'JWT', kid }),
        encode({ ...claims, iat: now, exp: now + JWT_SECONDS }),
      ].join('.');
      const signature = sign('sha256', Buffer.from(signed), { key: privateKey, dsaEncoding: 'ieee-p1363' });
      return `${signed}.${signature.toString('base64url')}`;
    },
  };
}

/** Null where the body is too long or no JSON. */
async function readJson(request: IncomingMessage): Promise<unknown> {
  if (!(Number(request.headers['content-length']) <= MAX_BODY_BYTES)) return null;
  const body = await text(request);
  try {
    return JSON.parse(body);
  } catch {
    return null;
  }
}

/** Compares hashes, whose length does not depend on what was typed. */
const isSame = (tried: unknown, password: string): boolean =>
  typeof tried === 'string' && timingSafeEqual(hash('sha256', tried, 'buffer'), hash('sha256', password, 'buffer'));

const cookieOf = (session: string) => `${SESSION_COOKIE}=${session}; Path=/session; HttpOnly; SameSite=Strict`;

const sessionOf = ({ headers }: IncomingMessage): string =>
  headers.cookie
    ?.split('; ')
    .find((pair) => pair.startsWith(`${SESSION_COOKIE}=`))
    ?.slice(SESSION_COOKIE.length + 1) ?? '';

function send(response: ServerResponse, status: number, body?: object): void {
  response.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' });
  response.end(body && JSON.stringify(body));
}
