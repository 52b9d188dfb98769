import { Transform, type TransformCallback, type Writable } from 'node:stream';

/**
 * Cuts the input of a client into lines, since the SDK takes a read with more bytes than a message may have for a
 * message that is too large. A client that does not read its responses is not read from either.
 */
export const createLineCutter = (output: Writable): Transform =>
  new Transform({
    readableObjectMode: true,
    transform(chunk: Buffer, _encoding, done) {
      const cut = () => pushLines(this, chunk, done);
      if (output.writableNeedDrain) output.once('drain', cut);
      else cut();
    },
  });

function pushLines(cutter: Transform, chunk: Buffer, done: TransformCallback): void {
  let start = 0;
  for (let end = chunk.indexOf('\n') + 1; end > 0; end = chunk.indexOf('\n', start) + 1) {
    cutter.push(chunk.subarray(start, end));
    start = end;
  }
  if (start < chunk.length) cutter.push(chunk.subarray(start));
  done();
}
