import { readFileSync } from 'node:fs';

/** The port of the peer and the URL of its upstream, as the benchmark sets them. */
export const port = Number(process.env['PORT']);
export const upstreamUrl = process.env['UPSTREAM_URL'] ?? '';

/** The default of `MAX_BODY_BYTES` in kb-gateway. */
export const MAX_BODY_BYTES = 10 * 1024 ** 2;

export const typeDefs = readFileSync(new URL('schema.graphql', import.meta.url), 'utf8');
