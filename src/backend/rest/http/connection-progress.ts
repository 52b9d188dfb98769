import type { ClientRequest } from 'node:http';
import type { Socket } from 'node:net';
import type { Request } from 'got';

/** How far a request has come. */
export interface ConnectionProgress {
  readonly wasConnected: boolean;
  /** True where an earlier call had used its connection. */
  readonly wasReused: boolean;
}

interface ConnectionOptions {
  /** That of the first host on the way. A tunnel has its socket after all handshakes. */
  readonly protocol: string;
  readonly timeoutMs: number;
  /** Called once the connection is ready for the first byte. */
  readonly onConnected: () => void;
}

export function trackConnection(
  stream: Request,
  { protocol, timeoutMs, onConnected }: ConnectionOptions,
): ConnectionProgress {
  const connectedEvent = protocol === 'https:' ? 'secureConnect' : 'connect';
  const progress = { wasConnected: false, wasReused: false };
  const onSocket = ({ reusedSocket }: ClientRequest, socket: Socket) => {
    // A tunnel through a proxy is passed on once its handshake is done.
    progress.wasConnected = !socket.connecting;
    progress.wasReused = reusedSocket;
    if (progress.wasConnected) return onConnected();
    socket.once(connectedEvent, () => {
      progress.wasConnected = true;
      onConnected();
    });
  };
  stream.once('request', (request) => {
    if (request.socket) return onSocket(request, request.socket);
    // A request that has no socket yet does not end when got destroys it.
    const timer = setTimeout(() => stream.destroy(new NoSocketError()), timeoutMs);
    stream.once('close', () => clearTimeout(timer));
    request.once('socket', (socket: Socket) => {
      clearTimeout(timer);
      onSocket(request, socket);
    });
  });
  return progress;
}

/** No tunnel through the proxy came about in the time of the call. */
class NoSocketError extends Error {
  readonly code = 'ETIMEDOUT';
}
