import { readFileSync } from 'node:fs';

/** Where the bench wants a peer to listen, and where its upstream is. */
export const port = Number(process.env['PORT']);
export const upstreamUrl = process.env['UPSTREAM_URL'] ?? '';

/** As ours: larger bodies are refused. */
export const MAX_BODY_BYTES = 10 * 1024 ** 2;

export const typeDefs = readFileSync(new URL('schema.graphql', import.meta.url), 'utf8');
