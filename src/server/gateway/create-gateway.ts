import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { withinTime } from '../../core/base/clock.ts';
import { maxResponseMsOf } from '../config.ts';
import { createHttpServer, sendUnavailable } from '../process/http-server.ts';
import { type OpenGateway, type OpenGatewayOptions, openGateway } from '../process/open-gateway.ts';
import { logWarnings, openLineLog, openLog } from '../process/open-log.ts';
import { type FetchContext, fetchFrom } from './fetch-server.ts';
import type { GatewayOptions } from './gateway-options.ts';
import { readOptions } from './read-options.ts';

/** A gateway within a server of another program. Its functions need no `this`. */
export interface Gateway {
  /**
   * Opens the database or the connection to the service, as the first request does otherwise. Rejects with the reason
   * where that fails; the next call, and the next request, try again.
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
   * Refuses new requests, waits for those in flight within `shutdownGraceMs`, and closes everything that was opened, so
   * that the gateway does not keep the process alive.
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
  const { basePath = '', authenticate } = options;
  const write = options.log?.write;
  const log = write === undefined ? openLog(config.value.log).log : openLineLog(config.value.log, write);
  logWarnings(config.value, [], log);
  return new MountedGateway({ config: config.value, log, basePath, authenticate });
}

/** A gateway that is opened when it is first needed, and answers requests that other servers have accepted. */
class MountedGateway implements Gateway {
  readonly #options: OpenGatewayOptions;
  /** A server that never listens: requests of the Fetch API reach it through memory. */
  readonly #fetchServer: Server;
  /** The responses that are pending or being sent. docs/decisions/0023-garbage.md says why this is no Set. */
  readonly #inFlight: ServerResponse[] = [];
  #gateway: OpenGateway | null = null;
  /** The opening of the gateway; null before the first request, and after each failure. */
  #opening: Promise<OpenGateway> | null = null;
  #closing: Promise<void> | null = null;

  constructor(options: OpenGatewayOptions) {
    this.#options = options;
    const { config, log } = options;
    this.#fetchServer = createHttpServer(this.handle, { ...config, maxResponseMs: maxResponseMsOf(config), log });
  }

  readonly ready = async (): Promise<void> => {
    await this.#openOnce();
  };

  readonly fetch = (request: Request, context?: FetchContext): Promise<Response> =>
    fetchFrom(this.#fetchServer, request, context);

  /** Never rejects, since most servers do not await the promise, and an unhandled rejection would end their process. */
  readonly handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { log } = this.#options;
    try {
      if (response.closed || response.destroyed) return;
      if (response.headersSent || response.writableEnded) return log('error', ANSWERED_ALREADY);
      // Without a listener, an error would end the process, too.
      response.on('error', ignore);
      this.#inFlight.push(response);
      response.once('close', () => {
        response.off('error', ignore);
        this.#inFlight.splice(this.#inFlight.indexOf(response), 1);
      });
      await this.#respond(request, response);
    } catch (error) {
      log('error', 'a request could not be answered', { error });
      // The host has answered already. A host in JavaScript may have passed no response at all.
      quietly(() => {
        if (!response.writableEnded) response.destroy();
      });
    }
  };

  readonly close = (): Promise<void> => {
    this.#closing ??= this.#close();
    return this.#closing;
  };

  async #respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (this.#closing !== null) return sendUnavailable(request, response, CLOSED);
    const gateway = this.#gateway ?? (await this.#openOnce().catch(() => null));
    // The client may have disconnected meanwhile.
    if (response.closed || response.destroyed) return;
    if (gateway === null) sendUnavailable(request, response, 'The gateway could not be opened.');
    else await gateway.handle(request, response);
  }

  #openOnce(): Promise<OpenGateway> {
    if (this.#closing !== null) return Promise.reject(new Error(CLOSED));
    this.#opening ??= this.#open();
    return this.#opening;
  }

  async #open(): Promise<OpenGateway> {
    const { log } = this.#options;
    try {
      const opened = await openGateway(this.#options);
      if (!opened.ok) throw new Error(opened.error);
      this.#gateway = opened.value;
      opened.value.metrics.observe('requestsInFlight', () => this.#inFlight.length);
      return opened.value;
    } catch (error) {
      this.#opening = null;
      log('error', 'the gateway cannot be opened', { error });
      throw error;
    }
  }

  async #close(): Promise<void> {
    const gateway = await this.#opening?.catch(() => null);
    const drain = () => this.#drain();
    try {
      if (gateway) await gateway.stop(drain).finally(() => gateway.close());
      else await drain();
    } finally {
      this.#fetchServer.close();
    }
  }

  /** Waits for the in-flight responses within the grace period. Resolves to false when it had to close connections. */
  async #drain(): Promise<boolean> {
    const pending = [...this.#inFlight];
    const ended = Promise.all(pending.map(waitForClose));
    if ((await withinTime(ended, this.#options.config.shutdownGraceMs)) !== null) return true;
    for (const response of pending) quietly(() => response.destroy());
    // A response without a connection never emits `close`.
    await withinTime(ended, MAX_DESTROY_MS);
    return false;
  }
}

/** Milliseconds in which closed connections may end their responses. */
const MAX_DESTROY_MS = 1_000;

const waitForClose = (response: ServerResponse): Promise<void> =>
  new Promise((resolve) => {
    if (response.closed) resolve();
    else response.once('close', () => resolve());
  });

const ignore = () => {};

function quietly(end: () => void): void {
  try {
    end();
  } catch {
    // The server in which the gateway is mounted has changed the response.
  }
}

const CLOSED = 'The gateway is closed.';

const ANSWERED_ALREADY = 'a request was answered before the gateway got it';
