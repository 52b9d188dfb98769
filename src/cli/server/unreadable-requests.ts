import type { Server } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Log } from '../../base/log.ts';
import { requestIdOf } from '../../http/requests/request-record.ts';
import type { InFlightResponse, InFlightResponses } from '../../http/responses/in-flight-responses.ts';

/** The status lines of requests that node:http cannot read, by the code of its error. */
const STATUS_LINES: ReadonlyMap<string, string> = new Map([
  ['HPE_HEADER_OVERFLOW', '431 Request Header Fields Too Large'],
  ['HPE_CHUNK_EXTENSIONS_OVERFLOW', '413 Payload Too Large'],
  ['ERR_HTTP_REQUEST_TIMEOUT', '408 Request Timeout'],
]);
const BAD_REQUEST = '400 Bad Request';

/**
 * Answers what node:http cannot read as a request, as node:http itself does, with an ID that the log has, too. After a
 * request that was read whole there is no answer, since it would be taken for that of the request, which goes on. The
 * connection is closed.
 */
export function answerUnreadableRequests(server: Server, inFlight: InFlightResponses, log: Log): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
    const [pending, ...others] = inFlight.of(socket);
    const isAnswerable = pending === undefined || (others.length === 0 && isUnreadable(pending));
    if (socket.writable && isAnswerable) {
      const requestId = (pending && requestIdOf(pending.response.req)) ?? crypto.randomUUID();
      const statusLine = STATUS_LINES.get(error.code ?? '') ?? BAD_REQUEST;
      socket.write(`HTTP/1.1 ${statusLine}\r\nConnection: close\r\nx-request-id: ${requestId}\r\n\r\n`);
      log('info', 'a request could not be read', {
        status: Number.parseInt(statusLine, 10),
        code: error.code,
        requestId,
      });
    }
    // With an error, the other end of a connection in memory would lose the answer.
    socket.destroy();
  });
}

/** True for a request whose body has not ended. Bytes amid a response that has begun would be read as a part of it. */
const isUnreadable = ({ response }: InFlightResponse): boolean => !response.req.complete && !response.headersSent;
