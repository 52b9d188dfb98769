import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { setImmediate as nextTick } from 'node:timers/promises';
import { deserializeMessage, ProtocolErrorCode, serializeMessage, type Transport } from '@modelcontextprotocol/server';
import { serveStdio as serveTransport } from '@modelcontextprotocol/server/stdio';
import { systemClock } from '../core/base/clock.ts';
import { countJsonValues, type JsonBounds } from '../core/base/json.ts';
import { MAX_TOOL_CALLS } from '../core/base/limits.ts';
import { err } from '../core/base/result.ts';
import { decodeText } from '../core/base/text.ts';
import { createMcpServer, type McpServerParts } from './mcp-server.ts';
import { createToolCalls, type ToolCallsOptions } from './tool-calls.ts';
import { failedCall, type ToolResult } from './tool-results.ts';
import type { McpOptions } from './tools.ts';

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
  const { input, output, stop, graceMs, version, callerOf, log } = options;
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  const slots = new CallSlots();
  const tools = createToolCalls({ ...options, clock: systemClock });
  const createServer = () => createMcpServer({ tools, version, callerOf, log, runCall: (call) => slots.run(call) });
  for (const event of ['close', 'error']) output.once(event, end);
  stop.addEventListener('abort', () => end(), { once: true });
  const transport: Transport = {
    start: async () => {},
    send: async (message) => void output.write(serializeMessage(message)),
    close: async () => transport.onclose?.(),
  };
  const connection = serveTransport(createServer, {
    transport,
    // Nothing is pushed to clients, so there is nothing to subscribe to.
    maxSubscriptions: 0,
    // The text of the error may contain a part of the message, so it is not logged.
    onerror: ({ name }) => log('warn', 'a message of MCP could not be handled', { error: name }),
  });
  receive(transport, options)
    .catch((error: Error) => transport.onerror?.(error))
    .finally(end);
  await ended;
  await Promise.race([lastResponses(slots, output), systemClock.sleep(graceMs)]);
  input.destroy();
  await connection.close();
}

/**
 * Passes on the messages of a client. A message that exceeds the bounds of JSON is refused before it is parsed. Nothing
 * is read from a client that does not read its responses.
 */
async function receive(transport: Transport, options: StdioOptions): Promise<void> {
  const { input, output, maxMessageBytes, jsonBounds } = options;
  for await (const line of linesOf(input, maxMessageBytes)) {
    if (output.writableNeedDrain) await once(output, 'drain');
    const text = decodeText(line);
    const counted = text === null ? err('is not UTF-8') : countJsonValues(text, jsonBounds);
    if (!counted.ok) output.write(`${refusalOf(`The message ${counted.error}.`)}\n`);
    else if (text) passOn(transport, text);
  }
}

function passOn(transport: Transport, line: string): void {
  try {
    transport.onmessage?.(deserializeMessage(line));
  } catch (error) {
    transport.onerror?.(error instanceof Error ? error : new Error('unknown'));
  }
}

const TOO_LARGE = 'The message is too large.';

/** Cuts a stream into lines, without their ends. Throws at a line that is too long. */
async function* linesOf(input: Readable, maxBytes: number): AsyncGenerator<Buffer> {
  let parts: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of input) {
    let start = 0;
    for (let end = chunk.indexOf('\n'); end !== -1; end = chunk.indexOf('\n', start)) {
      if (bytes + end - start > maxBytes) throw new Error(TOO_LARGE);
      yield Buffer.concat([...parts, chunk.subarray(start, end)]);
      parts = [];
      bytes = 0;
      start = end + 1;
    }
    parts.push(chunk.subarray(start));
    bytes += chunk.length - start;
    if (bytes > maxBytes) throw new Error(TOO_LARGE);
  }
}

/** Waits until the calls of all messages have ended, and the client has read their responses. */
async function lastResponses(slots: CallSlots, output: Writable): Promise<void> {
  // The last messages are handled in this tick, and their responses are written in the tick in which their calls end.
  await nextTick();
  await slots.idle();
  await nextTick();
  await new Promise((read) => output.write('', read));
}

const TOO_MANY = `The gateway makes ${MAX_TOOL_CALLS} calls of one client at a time. Nothing was done: call again when one has ended.`;

/** Bounds the calls in flight, and waits until there are none. */
class CallSlots {
  readonly #inFlight = new Set<Promise<ToolResult>>();

  async run(call: () => Promise<ToolResult>): Promise<ToolResult> {
    if (this.#inFlight.size >= MAX_TOOL_CALLS) return failedCall(TOO_MANY, { code: 'LIMIT_EXCEEDED', retryable: true });
    const running = call();
    this.#inFlight.add(running);
    try {
      return await running;
    } finally {
      this.#inFlight.delete(running);
    }
  }

  async idle(): Promise<void> {
    while (this.#inFlight.size > 0) await Promise.allSettled(this.#inFlight);
  }
}

/** The refusal has no ID, since finding the ID of the message would take the work that the bounds avoid. */
const refusalOf = (message: string): string =>
  JSON.stringify({
    jsonrpc: '2.0',
    id: null,
    error: { code: ProtocolErrorCode.InvalidRequest, message, data: { code: 'LIMIT_EXCEEDED' } },
  });
