import type { Readable } from 'node:stream';

/** All bytes of a stream. By its events: node:stream/consumers iterates, which takes up to 100 µs more for a stream of got. */
export function readBytes(stream: Readable): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    stream.on('end', () => resolve(Buffer.concat(chunks)));
    stream.on('error', reject);
  });
}
