import { type ClientRequestArgs, request as httpRequest } from 'node:http';
import { type AgentOptions, request as httpsRequest, Agent as TlsAgent } from 'node:https';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { connect as tlsConnect } from 'node:tls';
import { addressOf, proxyHeaders } from './proxy-address.ts';

/** The longest from the connection to the proxy to the end of the handshake with the host behind it. */
const TUNNEL_TIMEOUT_MS = 10_000;

/** There is no connection to the host behind the proxy, so nothing of a request was written. */
class TunnelError extends Error {
  readonly code: 'ERR_TUNNEL' | 'ERR_PROXY_AUTHENTICATION';

  /** `httpStatus` is that of the proxy; 0 where it did not refuse the tunnel. */
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
 * handshake with its host. The agents of Node (`proxyEnv`) would wait for that handshake without end.
 */
export class TunnelAgent extends TlsAgent {
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
    // The agent ignores the socket beside an error.
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
