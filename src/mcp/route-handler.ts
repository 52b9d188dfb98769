import type { GraphQLSchema } from 'graphql';
import type { Backend } from '../backend/backend.ts';
import { lazily } from '../base/lazily.ts';
import type { Log } from '../base/log.ts';
import type { Execution } from '../execution/execution.ts';
import { createMcpHandler, type McpHandlerOptions } from '../http/handlers/mcp.ts';
import type { RouteHandler } from '../http/requests/request-body.ts';
import type { IdempotencyKeys } from '../jobs/idempotency-keys.ts';
import type { McpOptions } from './tools.ts';

interface McpRouteOptions extends Pick<McpHandlerOptions, 'jsonBounds' | 'errorResponder'> {
  readonly mcp: McpOptions;
  readonly backend: Backend;
  readonly keys: IdempotencyKeys;
  readonly schema: GraphQLSchema;
  readonly execution: Execution;
  readonly log: Log;
}

/** Creates the handler of `/mcp`. The SDK and the tools are loaded at the first message: most gateways never get one. */
export function createMcpRouteHandler({ mcp, backend, ...options }: McpRouteOptions): RouteHandler {
  const responder = lazily(async () => {
    const { createMcpResponder } = await import('./streamable-http.ts');
    return createMcpResponder({ ...mcp, ...options });
  });
  return createMcpHandler({
    ...options,
    authenticate: (caller) => backend.authenticate(caller),
    respond: async (post) => (await responder())(post),
  });
}
