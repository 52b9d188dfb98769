import { once } from 'node:events';
import type { Readable, Transform, Writable } from 'node:stream';
import { setImmediate as nextTick } from 'node:timers/promises';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { systemClock } from '../../base/clock.ts';
import type { JsonBounds } from '../../base/json/json-scanner.ts';
import type { McpOptions } from '../mcp-options.ts';
import { ToolCalls, type ToolCallsOptions } from '../tool-calls.ts';
import { CallSlots } from './call-slots.ts';
import { createMcpServer, type McpServerParts } from './mcp-server.ts';
import { LineCutter } from './stdio-lines.ts';

interface StdioOptions
  extends McpOptions,
    Pick<ToolCallsOptions, 'schema' | 'execution' | 'keys'>,
    Pick<McpServerParts, 'callerOf' | 'log'> {
  readonly input: Readable;
  readonly output: Writable;
  readonly maxMessageBytes: number;
  readonly jsonBounds: JsonBounds;
  /** Ends the conversation. */
  readonly stop: AbortSignal;
  /** How long the end waits for calls in flight, and for a client that is slow to read. */
  readonly graceMs: number;
}

/** Serves one client over a pair of streams, until the client ends its stream or sends a message that is too large. */
export async function serveStdio(options: StdioOptions): Promise<void> {
  const { input, output, maxMessageBytes, jsonBounds, stop, graceMs, version, callerOf, log } = options;
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  const slots = new CallSlots();
  const tools = new ToolCalls({ ...options, clock: systemClock });
  const mcpServer = createMcpServer({ tools, version, callerOf, log, runCall: (call) => slots.run(call) });
  const lines = new LineCutter({ output, maxMessageBytes, bounds: jsonBounds });
  mcpServer.server.onclose = () => {
    lines.destroy();
    end();
  };
  // The text of the error can have a part of the message in it, which is not logged.
  mcpServer.server.onerror = ({ name }) => log('warn', 'a message of MCP could not be handled', { error: name });
  for (const event of ['end', 'close', 'error']) input.once(event, end);
  for (const event of ['close', 'error']) output.once(event, end);
  stop.addEventListener('abort', () => end(), { once: true });
  // The SDK listens to the output once for each response that the client has not read.
  output.setMaxListeners(0);
  await mcpServer.connect(new StdioServerTransport(lines, output, { maxBufferSize: maxMessageBytes }));
  input.pipe(lines);
  await ended;
  await Promise.race([lastResponses({ input, lines, slots, output }), systemClock.sleep(graceMs)]);
  input.unpipe(lines);
  await mcpServer.close();
}

interface LastParts extends Pick<StdioOptions, 'input' | 'output'> {
  readonly lines: Transform;
  readonly slots: CallSlots;
}

/** Waits until the calls of all messages have ended, and the client has read their responses. */
async function lastResponses({ input, lines, slots, output }: LastParts): Promise<void> {
  if (input.readableEnded && !lines.closed) await once(lines, 'close');
  // The last messages begin in this tick, and their responses are written in the tick in which their calls end.
  await nextTick();
  await slots.idle();
  await nextTick();
  await new Promise((read) => output.write('', read));
}
