import { sendBody } from '../responses/send-response.ts';
import type { RouteHandler } from './route-handler.ts';

interface SchemaFiles {
  /** The schema as text, which keeps the directives that introspection loses. */
  readonly sdl: string;
  /** The object types of each interface and union, as JSON. */
  readonly possibleTypes: string;
}

/** `/schema.graphql` and `/possible-types.json`: what clients are built with. */
export function createSchemaFileHandlers(files: SchemaFiles): { schema: RouteHandler; possibleTypes: RouteHandler } {
  return {
    schema: textHandler('application/graphql', files.sdl),
    possibleTypes: textHandler('application/json', files.possibleTypes),
  };
}

function textHandler(mediaType: string, body: string): RouteHandler {
  const headers = { 'content-type': `${mediaType}; charset=utf-8` };
  return ({ outgoing }) => sendBody(outgoing, { status: 200, headers, body });
}
