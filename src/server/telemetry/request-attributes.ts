import type { Attributes } from '@opentelemetry/api';
import {
  ATTR_ERROR_TYPE,
  ATTR_HTTP_REQUEST_METHOD,
  ATTR_HTTP_RESPONSE_STATUS_CODE,
  ATTR_HTTP_ROUTE,
  ATTR_SERVER_ADDRESS,
  ATTR_SERVER_PORT,
  ATTR_URL_SCHEME,
} from '@opentelemetry/semantic-conventions';
import type { EndedCall, ServedRequest } from '../../core/metrics.ts';

/** Methods that a path of the gateway accepts. All others count as one, as in the semantic conventions. */
const KNOWN_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS']);

/** This attribute is not in the stable conventions. */
const ATTR_GRAPHQL_OPERATION_NAME = 'graphql.operation.name';

/** The usual routes, methods and statuses of requests. They have series of their own, whatever else clients send. */
const USUAL_STATUSES = [
  ['POST', '/graphql', [200, 400, 401, 403, 413, 429, 500, 503, null]],
  ['GET', '/graphql', [200, 400, 500, 503]],
  ['PUT', '/v2', [200, 400, 401, 500, 503]],
  ['GET', '/v2', [200, 401, 404, 500, 503]],
  ['GET', '/health/live', [200]],
  ['GET', '/health/ready', [200, 503]],
] as const;

const keyOf = (parts: readonly unknown[]): string => parts.join(' ').trimEnd();

const USUAL_REQUESTS: ReadonlySet<string> = new Set(
  USUAL_STATUSES.flatMap(([method, route, statuses]) => statuses.map((status) => keyOf([method, route, status]))),
);

/** The most other sets of attributes. With the usual ones and the overflow, there are 36 sets of 8 series each. */
const MAX_OTHER_REQUESTS = 9;

/** The most sets of attributes of calls. With the overflow, there are 16 sets of 8 series each. */
const MAX_CALLS = 15;

/**
 * Returns a function for the attributes of a request by the semantic conventions for HTTP. Paths that are not served
 * have one method, and an operation beyond the limit is counted without its name, so that neither uses up the sets of
 * failed requests.
 */
export function createRequestAttributes(): (request: ServedRequest) => Attributes {
  const getSet = createAttributeSets(MAX_OTHER_REQUESTS, USUAL_REQUESTS);
  const attributesOf = (request: ServedRequest): Attributes => {
    const { route, status, trustedOperation } = request;
    const method = route !== null && KNOWN_METHODS.has(request.method) ? request.method : '_OTHER';
    const set = getSet(keyOf([method, route, status, trustedOperation]), () => ({
      [ATTR_HTTP_REQUEST_METHOD]: method,
      ...(route !== null && { [ATTR_HTTP_ROUTE]: route }),
      ...(status !== null && { [ATTR_HTTP_RESPONSE_STATUS_CODE]: status }),
      ...((status === null || status >= 500) && { [ATTR_ERROR_TYPE]: `${status ?? 'connection_closed'}` }),
      ...(trustedOperation !== undefined && { [ATTR_GRAPHQL_OPERATION_NAME]: trustedOperation }),
      [ATTR_URL_SCHEME]: 'http',
    }));
    if (set !== OVERFLOW || trustedOperation === undefined) return set;
    return attributesOf({ ...request, trustedOperation: undefined });
  };
  return attributesOf;
}

/** The address of the service, which is an attribute of each call. */
export interface UpstreamAddress {
  readonly host: string;
  readonly port: number;
}

/** Returns a function for the attributes of a call by the semantic conventions for HTTP. */
export function createCallAttributes({ host, port }: UpstreamAddress): (call: EndedCall) => Attributes {
  const getSet = createAttributeSets(MAX_CALLS);
  return ({ method, result }) =>
    getSet(`${method} ${result}`, () => ({
      [ATTR_HTTP_REQUEST_METHOD]: method,
      [ATTR_SERVER_ADDRESS]: host,
      [ATTR_SERVER_PORT]: port,
      ...(typeof result === 'number' && { [ATTR_HTTP_RESPONSE_STATUS_CODE]: result }),
      ...((typeof result !== 'number' || result >= 400) && { [ATTR_ERROR_TYPE]: `${result}` }),
    }));
}

/** The attributes of all sets beyond the limit, as in OpenTelemetry's SDK. */
const OVERFLOW: Attributes = { 'otel.metric.overflow': true };

const NONE: ReadonlySet<string> = new Set();

/**
 * The sets of attributes of one metric, by their keys. Each is one object, which is made once. Reserved sets always
 * have series of their own. Of the others, which depend on clients, the first `maxOthers` do.
 */
function createAttributeSets(
  maxOthers: number,
  reserved = NONE,
): (key: string, create: () => Attributes) => Attributes {
  const sets = new Map<string, Attributes>();
  let others = 0;
  return (key, create) => {
    const known = sets.get(key);
    if (known !== undefined) return known;
    if (!reserved.has(key)) {
      if (others >= maxOthers) return OVERFLOW;
      others += 1;
    }
    const attributes = create();
    sets.set(key, attributes);
    return attributes;
  };
}
