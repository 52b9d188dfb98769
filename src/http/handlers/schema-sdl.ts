import { sendBody } from '../responses/send-response.ts';
import type { RouteHandler } from './route-handler.ts';

/** `/schema.graphql`: the schema as text, which keeps the directives that introspection loses. */
export function createSchemaSdlHandler(sdl: string): RouteHandler {
  const headers = { 'content-type': 'application/graphql; charset=utf-8' };
  return ({ outgoing }) => sendBody(outgoing, { status: 200, headers, body: sdl });
}
