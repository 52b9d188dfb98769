import {
  createMcpHandler,
  isLegacyRequest,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import { systemClock } from '../core/base/clock.ts';
import type { Log } from '../core/base/log.ts';
import type { Caller } from '../core/callers/caller.ts';
import { createMcpServer } from './mcp-server.ts';
import { createToolCalls, type ToolCallsOptions } from './tool-calls.ts';
import type { McpOptions } from './tools.ts';

/** A POST to `/mcp`, whose body was read. */
interface McpPost {
  /** The request without the headers that identify the caller, which the SDK does not need. */
  readonly head: Request;
  readonly message: unknown;
  readonly caller: Caller;
}

interface McpResponderOptions extends McpOptions, Pick<ToolCallsOptions, 'schema' | 'execution' | 'keys'> {
  readonly log: Log;
}

/**
 * Responds to the messages of Streamable HTTP, of the revision of July 2026 and of those before it. There are no
 * sessions: each message has a server of its own, so that any process can respond to any message, and nothing is kept
 * between them.
 */
export function createMcpResponder({ version, log, clock = systemClock, ...options }: McpResponderOptions) {
  const tools = createToolCalls({ ...options, clock });
  return async ({ head, message, caller }: McpPost): Promise<Response> => {
    const createServer = () => createMcpServer({ tools, version, log, callerOf: async () => caller });
    if (!(await isLegacyRequest(head, message))) {
      // Nothing is pushed to clients, so there is nothing to subscribe to.
      const handler = createMcpHandler(createServer, { legacy: 'reject', maxSubscriptions: 0 });
      return handler.fetch(head, { parsedBody: message });
    }
    const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
    const server = createServer();
    await server.connect(transport);
    try {
      return await transport.handleRequest(head, { parsedBody: message });
    } finally {
      await server.close();
    }
  };
}
