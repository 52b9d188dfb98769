import type { IncomingMessage } from 'node:http';
import { lazily } from '../../base/lazily.ts';
import { err, type Result } from '../../base/result.ts';
import type { RouteHandler } from '../requests/request-body.ts';
import { sendBody } from '../responses/send-response.ts';

/** Requests within this time share one check of the backend. */
const READINESS_TTL_MS = 5_000;

interface HealthOptions {
  readonly checkReady: () => Promise<Result<void, string>>;
  readonly isStopping: () => boolean;
}

/** `live` answers while the process does; `ready` gives 503 with the reason while calls cannot be answered. */
export function createHealthHandlers(options: HealthOptions): { live: RouteHandler; ready: RouteHandler } {
  const checkReadiness = createReadinessCheck(options);
  return {
    live: ({ outgoing }) => sendBody(outgoing, jsonResponse(200, { status: 'live' })),
    ready: async ({ outgoing }) => {
      const ready = await checkReadiness();
      const body = ready.ok ? { status: 'ready' } : { status: 'not ready', reason: ready.error };
      return sendBody(outgoing, jsonResponse(ready.ok ? 200 : 503, body));
    },
  };
}

const HEADERS = { 'content-type': 'application/json; charset=utf-8' };

const jsonResponse = (status: number, body: object) => ({ status, headers: HEADERS, body: JSON.stringify(body) });

function createReadinessCheck({ checkReady, isStopping }: HealthOptions): HealthOptions['checkReady'] {
  let checkedAt = Number.NEGATIVE_INFINITY;
  let checked: Promise<Result<void, string>> | null = null;
  return async () => {
    if (isStopping()) return err('The gateway is stopping.');
    if (checked === null || performance.now() - checkedAt >= READINESS_TTL_MS) {
      checkedAt = performance.now();
      checked = checkReady();
    }
    return checked;
  };
}

interface SchemaFiles {
  /** The schema as text, which keeps the directives that introspection loses. */
  readonly sdl: () => string;
  /** The schema of the subgraph of Federation 2, as text. */
  readonly subgraphSdl: () => string;
  /** The object types of each interface and union, as JSON. */
  readonly possibleTypes: () => string;
}

/**
 * `/schema.graphql` and `/possible-types.json`: what clients are built with; and `/schema.graphql?federation`: what a
 * supergraph is composed of. Each is printed for its first request, since few gateways get one and printing takes time.
 */
export function createSchemaFileHandlers(files: SchemaFiles): { schema: RouteHandler; possibleTypes: RouteHandler } {
  const sdl = lazily(files.sdl);
  const subgraphSdl = lazily(files.subgraphSdl);
  const isOfSubgraph = ({ url = '' }: IncomingMessage) =>
    new URLSearchParams(url.slice(url.indexOf('?') + 1)).has('federation');
  return {
    schema: textHandler('application/graphql', (request) => (isOfSubgraph(request) ? subgraphSdl() : sdl())),
    possibleTypes: textHandler('application/json', lazily(files.possibleTypes)),
  };
}

function textHandler(mediaType: string, bodyFor: (request: IncomingMessage) => string): RouteHandler {
  const headers = { 'content-type': `${mediaType}; charset=utf-8` };
  return ({ request, outgoing }) => sendBody(outgoing, { status: 200, headers, body: bodyFor(request) });
}
