import type { IncomingMessage } from 'node:http';
import type { HttpError } from '../responses/http-error.ts';

const ORIGIN_NOT_ALLOWED: HttpError = {
  status: 403,
  code: 'CSRF_PREVENTED',
  message: 'Pages of this web origin may not call MCP: CORS_ORIGINS does not list it.',
};

/**
 * Refuses messages of MCP from pages of origins that are not listed, as its specification demands. A page whose host
 * name was rebound to this machine (DNS rebinding) is one of those: browsers send the Origin with each POST.
 */
export const createMcpOriginCheck = (origins: readonly string[]) => {
  const listed: ReadonlySet<string> = new Set(origins);
  return ({ headers: { origin } }: IncomingMessage): HttpError | null =>
    origin === undefined || listed.has(origin) ? null : ORIGIN_NOT_ALLOWED;
};
