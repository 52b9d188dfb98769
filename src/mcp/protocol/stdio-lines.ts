import { Transform, type TransformCallback, type Writable } from 'node:stream';
import { ErrorCode } from '@modelcontextprotocol/sdk/types.js';
import { countJsonValues, type JsonBounds } from '../../base/json/json-scanner.ts';

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
export class LineCutter extends Transform {
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
