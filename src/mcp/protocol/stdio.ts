import type { Readable, Writable } from 'node:stream';
import { setImmediate as nextTick } from 'node:timers/promises';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { systemClock } from '../../domain/clock.ts';
import type { McpOptions } from '../mcp-options.ts';
import { ToolCalls, type ToolCallsOptions } from '../tool-calls.ts';
import { CallSlots } from './call-slots.ts';
import { createMcpServer, type McpServerParts } from './mcp-server.ts';

interface StdioOptions
  extends McpOptions,
    Pick<ToolCallsOptions, 'schema' | 'execution' | 'keys'>,
    Pick<McpServerParts, 'callerOf' | 'log'> {
  readonly input: Readable;
  readonly output: Writable;
  readonly maxMessageBytes: number;
  /** Ends the conversation. */
  readonly stop: AbortSignal;
  /** How long the end waits for calls in flight. */
  readonly graceMs: number;
}

/** Serves one client over a pair of streams, until the client ends its stream or sends a message that is too large. */
export async function serveStdio(options: StdioOptions): Promise<void> {
  const { input, output, maxMessageBytes, stop, graceMs, version, callerOf, log } = options;
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  const slots = new CallSlots();
  const tools = new ToolCalls({ ...options, clock: systemClock });
  const mcpServer = createMcpServer({ tools, version, callerOf, log, runCall: (call) => slots.run(call) });
  mcpServer.server.onclose = end;
  // The text of the error can have a part of the message in it, which is not logged.
  mcpServer.server.onerror = ({ name }) => log('warn', 'a message of MCP could not be handled', { error: name });
  for (const event of ['end', 'close', 'error']) input.once(event, end);
  stop.addEventListener('abort', () => end(), { once: true });
  await mcpServer.connect(new StdioServerTransport(input, output, { maxBufferSize: maxMessageBytes }));
  await ended;
  // The last messages begin in this tick, and their responses are written in the tick in which their calls end.
  await nextTick();
  await Promise.race([slots.idle(), systemClock.sleep(graceMs)]);
  await nextTick();
  await mcpServer.close();
}
