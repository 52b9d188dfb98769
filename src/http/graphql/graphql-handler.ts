import type { RouteHandler } from '../handlers/route-handler.ts';
import { type FastPathOptions, fastPathMediaType, handleFastPath } from './fast-path.ts';
import { handleByYoga } from './yoga-handler.ts';

/** GraphQL over HTTP: the fast path for plain POST requests, Yoga for all others. */
export const createGraphQLHandler =
  (options: FastPathOptions): RouteHandler =>
  (received) => {
    const mediaType = fastPathMediaType(received.request);
    return mediaType === null ? handleByYoga(options.yoga, received) : handleFastPath(options, received, mediaType);
  };
