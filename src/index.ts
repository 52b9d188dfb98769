import './server/gateway/require-node.ts';

export { createGateway, type Gateway } from './server/gateway/create-gateway.ts';
export type { FetchContext } from './server/gateway/fetch-server.ts';
export type {
  AuditFileOptions,
  ClientOptions,
  ConsoleSignInOptions,
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
} from './server/gateway/gateway-options.ts';
