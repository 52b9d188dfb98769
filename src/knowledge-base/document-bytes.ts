import { MAX_FILE_BYTES } from './file.ts';

/** The size of a piece from which on it is passed on, in characters. Short pieces are joined. */
const MIN_PIECE = 64 * 1024;

/**
 * The bytes of a document of the import format. Throws with a message for people as soon as no import would read it,
 * because it is too large.
 */
export async function* documentBytes(
  text: AsyncIterable<string>,
  maxBytes: number = MAX_FILE_BYTES,
): AsyncGenerator<Uint8Array> {
  let total = 0;
  const encode = (piece: string): Uint8Array => {
    const bytes = Buffer.from(piece);
    total += bytes.length;
    if (total > maxBytes) {
      throw new Error(`The knowledge base takes more than ${maxBytes / 1024 / 1024} MiB, which no import reads.`);
    }
    return bytes;
  };
  let piece = '';
  for await (const part of text) {
    piece += part;
    if (piece.length < MIN_PIECE) continue;
    yield encode(piece);
    piece = '';
  }
  yield encode(piece);
}
