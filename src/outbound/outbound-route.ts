import { Agent, request as httpRequest } from 'node:http';
import { type AgentOptions, request as httpsRequest, Agent as TlsAgent } from 'node:https';
import { addressOf, proxyHeaders } from './proxy-address.ts';
import { TunnelAgent } from './tunnel-agent.ts';

/** How requests to one origin are sent, directly or through a proxy. */
export interface OutboundRoute {
  readonly request: typeof httpRequest;
  /** Options of each request. Who made the route destroys its agent. */
  readonly connection: ReturnType<typeof addressOf> & { readonly agent: Agent };
  /** Stands before the path of each request. */
  readonly pathPrefix: string;
  /** True where a proxy reads the requests, so that a response may be its own. */
  readonly isForwarded: boolean;
  /** Headers of each request. */
  readonly headers: Readonly<Record<string, string>>;
}

/** Https goes through a tunnel, in which the proxy reads nothing. Http is sent to the proxy with whole URLs. */
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
