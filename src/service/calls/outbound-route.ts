import { Agent, type ClientRequestArgs, request as httpRequest } from 'node:http';
import { type AgentOptions, request as httpsRequest, Agent as TlsAgent } from 'node:https';
import { isIP, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { connect as tlsConnect } from 'node:tls';
import { TUNNEL_TIMEOUT_MS } from '../../core/base/limits.ts';
import { hostOf } from '../../core/base/network.ts';

/** The way of requests to one origin, directly or through a proxy. */
export interface OutboundRoute {
  readonly request: typeof httpRequest;
  /** Options of each request. The owner of the route destroys its agent. */
  readonly connection: ReturnType<typeof addressOf> & { readonly agent: Agent };
  readonly pathPrefix: string;
  /** True where a proxy reads the requests, so that a response may come from the proxy. */
  readonly isForwarded: boolean;
  readonly headers: Readonly<Record<string, string>>;
}

/** Creates the route. Https goes through a tunnel that the proxy can't read. Http is sent to it with whole URLs. */
export function createOutboundRoute(target: URL, proxyUrl: string | null, options: AgentOptions): OutboundRoute {
  const proxy = proxyUrl === null ? null : new URL(proxyUrl);
  if (proxy === null)
    return routeThrough(target, target.protocol === 'https:' ? new TlsAgent(options) : new Agent(options));
  if (target.protocol === 'https:') return routeThrough(target, new TunnelAgent(proxy, options));
  const route = createOutboundRoute(new URL(proxy.origin), null, options);
  const headers = { host: target.host, ...proxyHeaders(proxy) };
  return { ...route, pathPrefix: target.origin, isForwarded: true, headers };
}

const routeThrough = (target: URL, agent: Agent): OutboundRoute => ({
  request: target.protocol === 'https:' ? httpsRequest : httpRequest,
  connection: { ...addressOf(target), agent },
  pathPrefix: '',
  isForwarded: false,
  headers: {},
});

/**
 * The address to connect to, as options of Node's requests, without user and password. The name in the certificate is
 * set here, since Node would take it from the header `Host`, which is the host behind a proxy.
 */
function addressOf(url: URL) {
  const { protocol, port } = url;
  const hostname = hostOf(url);
  // TLS names no IP address to the server. Node then checks the certificate for `hostname`.
  return { protocol, hostname, port, ...(protocol === 'https:' && { servername: isIP(hostname) ? '' : hostname }) };
}

/** The user and the password of the proxy's URL, for the proxy alone (RFC 9110, 11.7.2). */
function proxyHeaders({ username, password }: URL): Readonly<Record<string, string>> {
  if (username === '' && password === '') return {};
  const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { 'proxy-authorization': `Basic ${Buffer.from(credentials).toString('base64')}` };
}

/** Thrown when there is no connection to the host behind the proxy, so that nothing of a request was written. */
class TunnelError extends Error {
  readonly code: 'ERR_TUNNEL' | 'ERR_PROXY_AUTHENTICATION';

  /** `httpStatus` is the proxy's; 0 where the proxy did not refuse the tunnel. */
  constructor(message: string, httpStatus = 0) {
    super(message);
    this.code = httpStatus === 407 ? 'ERR_PROXY_AUTHENTICATION' : 'ERR_TUNNEL';
  }
}

interface TunnelTarget extends ClientRequestArgs {
  readonly servername?: string;
}

type OnConnected = (error: Error | null, socket: Duplex) => void;

/**
 * Connects to https hosts through tunnels of a proxy (`CONNECT`: RFC 9110, 9.3.6). A request gets its socket after the
 * TLS handshake with its host. The agents of Node (`proxyEnv`) would wait for that handshake without a limit.
 */
class TunnelAgent extends TlsAgent {
  readonly #proxy: URL;

  constructor(proxy: URL, options: AgentOptions) {
    super(options);
    this.#proxy = proxy;
  }

  override createConnection(target: TunnelTarget, callback: OnConnected = () => {}): undefined {
    openTunnel(this.#proxy, target, callback);
  }
}

function openTunnel(proxy: URL, { host, port, servername = '' }: TunnelTarget, onConnected: OnConnected): void {
  const authority = `${host?.includes(':') ? `[${host}]` : host}:${port}`;
  const sendConnect = proxy.protocol === 'https:' ? httpsRequest : httpRequest;
  const headers = { host: authority, ...proxyHeaders(proxy) };
  const request = sendConnect({ ...addressOf(proxy), method: 'CONNECT', path: authority, headers, agent: false });
  const sockets: Socket[] = [];
  const fail = (error: Error) => {
    clearTimeout(timer);
    request.destroy();
    for (const socket of sockets) socket.destroy();
    // The agent ignores the socket when there is an error.
    onConnected(error, new Socket());
    onConnected = () => {};
  };
  const timer = setTimeout(() => fail(new TunnelError('The tunnel took too long.')), TUNNEL_TIMEOUT_MS);
  request.on('error', fail).once('connect', ({ statusCode = 0 }, socket: Socket, head) => {
    sockets.push(socket);
    if (statusCode < 200 || statusCode > 299)
      return fail(new TunnelError(`The proxy answered HTTP ${statusCode}.`, statusCode));
    if (head.length > 0) socket.unshift(head);
    const secure = tlsConnect({ socket, servername, ...(host && { host }) });
    sockets.push(secure);
    secure.on('error', fail).once('secureConnect', () => {
      clearTimeout(timer);
      secure.off('error', fail);
      onConnected(null, secure);
      onConnected = () => {};
    });
  });
  request.end();
}
