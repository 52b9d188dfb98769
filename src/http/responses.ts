import type { ServerResponse } from 'node:http';

export function sendJson(response: ServerResponse, mediaType: string, json: string): void {
  response.writeHead(200, {
    'content-type': `${mediaType}; charset=utf-8`,
    'content-length': Buffer.byteLength(json),
  });
  response.end(json);
}

/** Writes an answer of the fetch kind whose body is text. */
export async function sendResponse(response: ServerResponse, answer: Response): Promise<void> {
  const body = await answer.text();
  response.writeHead(answer.status, Object.fromEntries(answer.headers));
  response.end(body);
}
