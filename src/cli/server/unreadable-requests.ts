import type { Server } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Log } from '../../domain/log.ts';
import type { InFlightResponses } from '../../http/responses/in-flight-responses.ts';

/** The status lines of requests that node:http cannot read, by the code of its error. */
const STATUS_LINES: ReadonlyMap<string, string> = new Map([
  ['HPE_HEADER_OVERFLOW', '431 Request Header Fields Too Large'],
  ['HPE_CHUNK_EXTENSIONS_OVERFLOW', '413 Payload Too Large'],
  ['ERR_HTTP_REQUEST_TIMEOUT', '408 Request Timeout'],
]);
const BAD_REQUEST = '400 Bad Request';

/**
 * Answers what node:http cannot read as a request, as node:http itself does, with an ID that the log has, too. The
 * connection is closed.
 */
export function answerUnreadableRequests(server: Server, inFlight: InFlightResponses, log: Log): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
    // Bytes amid a response that has begun would be read as a part of it.
    const hasBegun = inFlight.of(socket).some(({ response }) => response.headersSent);
    if (socket.writable && !hasBegun) {
      const requestId = crypto.randomUUID();
      const statusLine = STATUS_LINES.get(error.code ?? '') ?? BAD_REQUEST;
      socket.write(`HTTP/1.1 ${statusLine}\r\nConnection: close\r\nx-request-id: ${requestId}\r\n\r\n`);
      log('info', 'a request could not be read', {
        status: Number.parseInt(statusLine, 10),
        code: error.code,
        requestId,
      });
    }
    socket.destroy(error);
  });
}
