import type { IncomingMessage, ServerResponse } from 'node:http';
import { createCors } from './cors.ts';
import { type Refusal, refusalBody } from './refusal.ts';
import { createHeadCheck, isFacadeTarget } from './request-head.ts';
import { sendText } from './responses.ts';

export interface FrontOptions {
  /** Web origins whose pages may read answers (`CORS_ORIGINS`). */
  readonly corsOrigins: readonly string[];
  /** How the façade says why it does not take a request; null where there is none. */
  readonly facadeRefusalBody: ((refusal: Refusal) => string) | null;
}

/**
 * What stands in front of every route: it refuses requests that no route could read, and answers browsers that ask whether
 * they may. Answers true where it answered the request.
 */
export function createFront({ corsOrigins, facadeRefusalBody }: FrontOptions) {
  const answerCors = createCors(corsOrigins);
  const headProblem = createHeadCheck();
  return (request: IncomingMessage, response: ServerResponse): boolean => {
    const problem = headProblem(request);
    if (problem === null) return answerCors(request, response);
    const inWords = (isFacadeTarget(request.url ?? '') && facadeRefusalBody) || refusalBody;
    const headers = { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' };
    sendText(response, { status: problem.status, headers, text: inWords(problem) });
    return true;
  };
}
