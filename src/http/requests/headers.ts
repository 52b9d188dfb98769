import type { IncomingMessage } from 'node:http';
import type { HeaderReader } from '../../base/json.ts';

/** The headers of a request by lower-case name. The values of a repeated header are joined. */
export const headersOf = ({ headers }: IncomingMessage): HeaderReader => ({
  get: (name) => headers[name]?.toString() ?? null,
});
