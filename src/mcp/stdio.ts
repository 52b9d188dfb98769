import { once } from 'node:events';
import { type Readable, Transform, type TransformCallback, type Writable } from 'node:stream';
import { setImmediate as nextTick } from 'node:timers/promises';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { ErrorCode } from '@modelcontextprotocol/sdk/types.js';
import { systemClock } from '../base/clock.ts';
import { countJsonValues, type JsonBounds } from '../base/json.ts';
import { MAX_TOOL_CALLS } from '../base/limits.ts';
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
  const { input, output, maxMessageBytes, jsonBounds, stop, graceMs, version, callerOf, log } = options;
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  const slots = new CallSlots();
  const tools = createToolCalls({ ...options, clock: systemClock });
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

const TOO_MANY = `The gateway makes ${MAX_TOOL_CALLS} calls of one client at a time. Nothing was done: call again when one has ended.`;

/** Bounds the calls that are in flight, and tells when there are none. */
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

interface LineCutterOptions {
  readonly output: Writable;
  readonly maxMessageBytes: number;
  readonly bounds: JsonBounds;
}

/**
 * Cuts the input of a client into lines of one message each. A message that breaks the bounds of JSON is refused here,
 * before the SDK parses it. A message that is too large is passed on, and the SDK ends the conversation. A client that
 * does not read its responses is not read from either.
 */
class LineCutter extends Transform {
  readonly #options: LineCutterOptions;
  /** The line that has begun. */
  #parts: Buffer[] = [];
  #bytes = 0;

  constructor(options: LineCutterOptions) {
    super({ readableObjectMode: true });
    this.#options = options;
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    const { output } = this.#options;
    const cut = () => {
      this.#cut(chunk);
      done();
    };
    if (output.writableNeedDrain) output.once('drain', cut);
    else cut();
  }

  #cut(chunk: Buffer): void {
    let start = 0;
    for (let end = chunk.indexOf('\n') + 1; end > 0; end = chunk.indexOf('\n', start) + 1) {
      this.#add(chunk.subarray(start, end));
      this.#passOn(this.#takeLine());
      start = end;
    }
    if (start < chunk.length) this.#add(chunk.subarray(start));
    if (this.#bytes > this.#options.maxMessageBytes) this.push(this.#takeLine());
  }

  #add(part: Buffer): void {
    this.#parts.push(part);
    this.#bytes += part.length;
  }

  #takeLine(): Buffer {
    const line = Buffer.concat(this.#parts);
    this.#parts = [];
    this.#bytes = 0;
    return line;
  }

  #passOn(line: Buffer): void {
    const { output, maxMessageBytes, bounds } = this.#options;
    const counted = line.length > maxMessageBytes ? null : countJsonValues(line.toString('latin1'), bounds);
    if (counted === null || counted.ok) this.push(line);
    else output.write(`${refusalOf(`The message ${counted.error}.`)}\n`);
  }
}

/** The message has an ID, but to find it would take the work that the bounds save. */
const refusalOf = (message: string): string =>
  JSON.stringify({
    jsonrpc: '2.0',
    id: null,
    error: { code: ErrorCode.InvalidRequest, message, data: { code: 'LIMIT_EXCEEDED' } },
  });
