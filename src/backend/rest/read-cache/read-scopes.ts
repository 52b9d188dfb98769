import { hash } from 'node:crypto';
import type { ServiceCall } from '../calls/service-call.ts';

/**
 * The reads of a token that one write may change. A bulk update may change articles, their lists and the trees of
 * categories; a group's update the groups, the groups of its readers, and the invited users.
 */
export const scopeOf = (tokenKey: string, { path }: Pick<ServiceCall, 'path'>): string =>
  path[0] === 'Readers' ? `${tokenKey}:groups` : `${tokenKey}:articles`;

/** Reads with the same key have the same response, but for what changes at the service. */
export const readKeyOf = (tokenKey: string, { path, query = {} }: ServiceCall): string =>
  hash('sha256', JSON.stringify([tokenKey, path, query]), 'base64url');
