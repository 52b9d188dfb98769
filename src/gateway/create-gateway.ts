import type { IncomingMessage, ServerResponse } from 'node:http';
import { openLineLog, openLog } from '../cli/open-log.ts';
import type { FetchContext } from './fetch-server.ts';
import type { GatewayOptions } from './gateway-options.ts';
import { MountedGateway } from './mounted-gateway.ts';
import { readOptions } from './read-options.ts';

/** A gateway within a server of another program. Its functions need no `this`. */
export interface Gateway {
  /**
   * Opens the database or the way to the service, as the first request does otherwise. Rejects with the reason where
   * that fails; the next call, and the next request, try again.
   */
  readonly ready: () => Promise<void>;
  /**
   * Answers a request of the Fetch API, for Hono or Next.js. Rejects only where it is aborted or ended by `close`, or
   * its body fails or was read before.
   */
  readonly fetch: (request: Request, context?: FetchContext) => Promise<Response>;
  /**
   * Answers a request of node:http, whose body nothing has read yet, for Express, Fastify or a server of your own. Never
   * rejects: what cannot be answered is logged, and its connection closed. A response that has begun is left alone.
   */
  readonly handle: (request: IncomingMessage, response: ServerResponse) => Promise<void>;
  /**
   * Refuses new requests, waits for those in flight within `shutdownGraceMs`, and closes what was opened: nothing of
   * the gateway keeps the process alive then.
   */
  readonly close: () => Promise<void>;
}

/**
 * Creates a gateway for a server of your own. It opens nothing before the first request, or before `ready` is called.
 * Throws a TypeError that lists every wrong option.
 */
export function createGateway(options: GatewayOptions): Gateway {
  const config = readOptions(options);
  if (!config.ok) throw new TypeError(config.error);
  const write = options.log?.write;
  const log = write === undefined ? openLog(config.value.log) : openLineLog(config.value.log, write);
  const gateway = new MountedGateway({ config: config.value, log, basePath: options.basePath ?? '' });
  return {
    ready: async () => {
      await gateway.open();
    },
    fetch: (request, context) => gateway.fetch(request, context),
    handle: (request, response) => gateway.handle(request, response),
    close: () => gateway.close(),
  };
}
