const HEAD_END = '\r\n\r\n';
const END_OF_CHUNKS = Buffer.from('0\r\n\r\n');

export interface Message {
  readonly startLine: string;
  /** The start line and the header fields, in lower case. */
  readonly head: string;
  readonly body: Buffer;
}

interface Head {
  readonly startLine: string;
  readonly head: string;
  readonly bodyStart: number;
  /** Null when the body is chunked. */
  readonly bodyLength: number | null;
}

/**
 * Reads HTTP/1.1 messages from one connection, one at a time: a sender waits for the response before its next message.
 * Much cheaper than node:http, so that the harness costs little of what is measured.
 */
export class MessageReader {
  #chunks: Buffer[] = [];
  #size = 0;
  #head: Head | null = null;

  /** Adds a chunk. Returns the message when it is complete, else null. */
  push(chunk: Buffer): Message | null {
    this.#chunks.push(chunk);
    this.#size += chunk.length;
    this.#head ??= this.#readHead();
    return this.#head && this.#isWhole(this.#head, chunk) ? this.#take(this.#head) : null;
  }

  #isWhole({ bodyStart, bodyLength }: Head, last: Buffer): boolean {
    if (bodyLength !== null) return this.#size >= bodyStart + bodyLength;
    // JSON contains no unescaped line break, so this must be the last chunk.
    return (last.length < END_OF_CHUNKS.length ? this.#joined() : last)
      .subarray(-END_OF_CHUNKS.length)
      .equals(END_OF_CHUNKS);
  }

  #take({ startLine, head, bodyStart, bodyLength }: Head): Message {
    const rest = this.#joined().subarray(bodyStart);
    this.#chunks = [];
    this.#size = 0;
    this.#head = null;
    return { startLine, head, body: bodyLength === null ? withoutChunks(rest) : rest };
  }

  #joined(): Buffer {
    const [only] = this.#chunks;
    if (only && this.#chunks.length === 1) return only;
    const joined = Buffer.concat(this.#chunks);
    this.#chunks = [joined];
    return joined;
  }

  #readHead(): Head | null {
    const bytes = this.#joined();
    const end = bytes.indexOf(HEAD_END);
    if (end < 0) return null;
    const text = bytes.toString('latin1', 0, end);
    const headers = text.toLowerCase();
    const isChunked = headers.includes('\r\ntransfer-encoding: chunked');
    return {
      startLine: text.slice(0, text.indexOf('\r\n')),
      head: headers,
      bodyStart: end + HEAD_END.length,
      bodyLength: isChunked ? null : contentLength(headers),
    };
  }
}

function contentLength(headers: string): number {
  const name = '\r\ncontent-length:';
  const start = headers.indexOf(name);
  return start < 0 ? 0 : Number.parseInt(headers.slice(start + name.length, start + name.length + 16), 10);
}

function withoutChunks(bytes: Buffer): Buffer {
  const parts: Buffer[] = [];
  let position = 0;
  for (;;) {
    const lineEnd = bytes.indexOf('\r\n', position);
    const size = Number.parseInt(bytes.toString('latin1', position, lineEnd), 16);
    if (!(size > 0)) return Buffer.concat(parts);
    parts.push(bytes.subarray(lineEnd + 2, lineEnd + 2 + size));
    position = lineEnd + 2 + size + 2;
  }
}
