import type { IncomingMessage } from 'node:http';
import { lazily } from '../../base/lazily.ts';
import { sendBody } from '../responses/send-response.ts';
import type { RouteHandler } from './route-handler.ts';

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
