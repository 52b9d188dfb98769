import './gateway/require-node.ts';

export { createGateway, type Gateway } from './gateway/create-gateway.ts';
export type { FetchContext } from './gateway/fetch-server.ts';
export type {
  AuditFileOptions,
  ClientOptions,
  GatewayOptions,
  HostCaller,
  LimitOptions,
  LogOptions,
  McpRouteOptions,
  MetricsPageOptions,
  ProxyOptions,
  ServiceOptions,
  StateOptions,
  StoreOptions,
  TrustedDocumentOptions,
} from './gateway/gateway-options.ts';
