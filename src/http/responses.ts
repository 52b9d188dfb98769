import type { ServerResponse } from 'node:http';
import { setImmediate } from 'node:timers/promises';

/** What is larger is sent in pieces, so that it can be seen how fast a client takes it. */
const PIECE_BYTES = 64 * 1024;

export async function sendJson(response: ServerResponse, mediaType: string, json: string): Promise<void> {
  response.setHeader('content-type', `${mediaType}; charset=utf-8`);
  response.setHeader('content-length', Buffer.byteLength(json));
  if (json.length <= PIECE_BYTES) response.end(json);
  else await sendBytes(response, Buffer.from(json));
}

/** Writes an answer of the fetch kind. */
export async function sendResponse(response: ServerResponse, answer: Response): Promise<void> {
  const body = await answer.bytes();
  response.statusCode = answer.status;
  response.setHeaders(answer.headers);
  response.setHeader('content-length', body.length);
  await sendBytes(response, body);
}

/**
 * The pieces share the memory of the whole. Between two of them others have their turn: until the sockets are full a piece
 * is taken at once, which for hundreds of large answers took more than a second.
 */
async function sendBytes(response: ServerResponse, bytes: Uint8Array): Promise<void> {
  let at = 0;
  while (bytes.length - at > PIECE_BYTES) {
    const isTaken = response.write(bytes.subarray(at, at + PIECE_BYTES));
    if (!isTaken && !(await canGoOn(response))) return;
    await setImmediate();
    at += PIECE_BYTES;
  }
  response.end(bytes.subarray(at));
}

/** False where the client is gone. */
function canGoOn(response: ServerResponse): Promise<boolean> {
  if (response.closed) return Promise.resolve(false);
  return new Promise((resolve) => {
    const decide = () => {
      response.off('drain', decide);
      response.off('close', decide);
      resolve(!response.closed);
    };
    response.once('drain', decide);
    response.once('close', decide);
  });
}
