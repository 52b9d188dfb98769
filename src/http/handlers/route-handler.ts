import type { IncomingMessage } from 'node:http';
import type { Caller } from '../../domain/callers/caller.ts';
import type { ReceivedBody } from '../requests/request-body.ts';
import type { OutgoingResponse } from '../responses/send-response.ts';

/** A request that passed the guards, with its body. */
export interface ReceivedRequest {
  readonly request: IncomingMessage;
  readonly caller: Caller;
  readonly body: ReceivedBody;
  readonly outgoing: OutgoingResponse;
}

/** Sends the response to a request of one route. */
export type RouteHandler = (received: ReceivedRequest) => Promise<void> | undefined;
