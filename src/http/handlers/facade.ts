import type { HeaderReader, ParseBudget } from '../../base/json.ts';
import type { Caller } from '../../domain/callers/caller.ts';
import { headersOf } from '../requests/headers.ts';
import type { ReceivedBody } from '../requests/request-body.ts';
import { type FullResponse, sendBody } from '../responses/send-response.ts';
import type { RouteHandler } from './route-handler.ts';

/** The façade without its HTTP server. */
type Facade = (request: {
  readonly method: string;
  readonly url: URL;
  readonly headers: HeaderReader;
  readonly caller: Caller;
  readonly body: ReceivedBody;
  readonly parseBudget: ParseBudget;
}) => Promise<FullResponse>;

/** Serves the REST façade under `/v2`. */
export const createFacadeHandler =
  (facade: Facade): RouteHandler =>
  async ({ request, caller, body, outgoing }) => {
    const { method = '', url = '' } = request;
    const response = await facade({
      method,
      url: new URL(`http://localhost${url}`),
      headers: headersOf(request),
      caller,
      body,
      parseBudget: outgoing.memory,
    });
    outgoing.memory.endInput();
    return sendBody(outgoing, response);
  };
