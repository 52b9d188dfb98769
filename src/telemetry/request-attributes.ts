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
import type { EndedCall, ServedRequest } from '../domain/metrics.ts';

/** Methods that a path of the gateway takes. All others count as one, as the semantic conventions have it. */
const KNOWN_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'OPTIONS']);

/** It is not among the stable conventions. */
const ATTR_GRAPHQL_OPERATION_NAME = 'graphql.operation.name';

/** What requests of a sound deployment end with. They have series of their own whatever else clients send. */
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

/** With the usual ones and the overflow, 36 sets of 8 series each. */
const MAX_OTHER_REQUESTS = 9;

/** With the overflow, 16 sets of 8 series each. */
const MAX_CALLS = 15;

export const createRequestSets = () => new AttributeSets({ reserved: USUAL_REQUESTS, maxOthers: MAX_OTHER_REQUESTS });

export const createCallSets = () => new AttributeSets({ reserved: new Set(), maxOthers: MAX_CALLS });

/**
 * The attributes of a request by the semantic conventions for HTTP. Paths that are not served have one method, and an
 * operation without a place of its own counts without its name, so that neither takes the places of failed requests.
 */
export function requestAttributes(sets: AttributeSets, request: ServedRequest): Attributes {
  const { route, status, trustedOperation } = request;
  const method = route !== null && KNOWN_METHODS.has(request.method) ? request.method : '_OTHER';
  const set = sets.get(keyOf([method, route, status, trustedOperation]), () => ({
    [ATTR_HTTP_REQUEST_METHOD]: method,
    ...(route !== null && { [ATTR_HTTP_ROUTE]: route }),
    ...(status !== null && { [ATTR_HTTP_RESPONSE_STATUS_CODE]: status }),
    ...((status === null || status >= 500) && { [ATTR_ERROR_TYPE]: `${status ?? 'connection_closed'}` }),
    ...(trustedOperation !== undefined && { [ATTR_GRAPHQL_OPERATION_NAME]: trustedOperation }),
    [ATTR_URL_SCHEME]: 'http',
  }));
  if (set !== OVERFLOW || trustedOperation === undefined) return set;
  return requestAttributes(sets, { ...request, trustedOperation: undefined });
}

/** The address of the service, which is an attribute of each call. */
export interface UpstreamAddress {
  readonly host: string;
  readonly port: number;
}

/** The attributes of a call by the semantic conventions for HTTP. */
export function callAttributes(sets: AttributeSets, { method, result }: EndedCall, upstream: UpstreamAddress) {
  return sets.get(`${method} ${result}`, () => ({
    [ATTR_HTTP_REQUEST_METHOD]: method,
    [ATTR_SERVER_ADDRESS]: upstream.host,
    [ATTR_SERVER_PORT]: upstream.port,
    ...(typeof result === 'number' && { [ATTR_HTTP_RESPONSE_STATUS_CODE]: result }),
    ...((typeof result !== 'number' || result >= 400) && { [ATTR_ERROR_TYPE]: `${result}` }),
  }));
}

/** Stands for all sets of attributes beyond the limit, as in OpenTelemetry's SDK. */
const OVERFLOW: Attributes = { 'otel.metric.overflow': true };

interface AttributeSetsOptions {
  /** Sets that always have series of their own, by their keys. */
  readonly reserved: ReadonlySet<string>;
  /** How many other sets have series of their own: those that come first. */
  readonly maxOthers: number;
}

/**
 * The sets of attributes of one metric. Each is one object, which is made once. Clients bring about the sets that are
 * not reserved, so their number is bounded.
 */
class AttributeSets {
  readonly #options: AttributeSetsOptions;
  readonly #sets = new Map<string, Attributes>();
  #others = 0;

  constructor(options: AttributeSetsOptions) {
    this.#options = options;
  }

  /** `create` makes the set of a key that is new. */
  get(key: string, create: () => Attributes): Attributes {
    const known = this.#sets.get(key);
    if (known !== undefined) return known;
    if (!this.#options.reserved.has(key)) {
      if (this.#others >= this.#options.maxOthers) return OVERFLOW;
      this.#others += 1;
    }
    const attributes = create();
    this.#sets.set(key, attributes);
    return attributes;
  }
}
