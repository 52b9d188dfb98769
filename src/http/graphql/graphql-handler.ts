import type { IncomingMessage, ServerResponse } from 'node:http';
import { createCors } from '../guards/cors.ts';
import { createHeadCheck } from '../guards/request-head.ts';
import type { Refusals } from '../responses/error-responder.ts';
import type { Route } from '../route.ts';

export interface FrontOptions {
  /** Web origins whose pages may read answers (`CORS_ORIGINS`). */
  readonly corsOrigins: readonly string[];
  readonly refusals: Refusals;
}

/**
 * What stands in front of every route: it refuses requests that no route could read, and answers browsers that ask whether
 * they may. Answers true where it answered the request.
 */
export function createFront({ corsOrigins, refusals }: FrontOptions) {
  const answerCors = createCors(corsOrigins);
  const headProblem = createHeadCheck();
  return (request: IncomingMessage, response: ServerResponse, route: Route): boolean => {
    const problem = headProblem(request, route);
    if (problem === null) return answerCors(request, response, route);
    refusals.refuse(response, route, problem);
    return true;
  };
}
