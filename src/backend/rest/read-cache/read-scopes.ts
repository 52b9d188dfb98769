import type { ReadScope } from '../../backend.ts';
import type { ServiceCall } from '../calls/service-call.ts';

/** The reads of a token that a read belongs to, or that a write may change. */
export const scopeOf = (tokenKey: string, call: ServiceCall): string =>
  `${tokenKey}:${call.kind === 'write' ? call.staleReads : readScopeOf(call)}`;

const readScopeOf = ({ path }: Pick<ServiceCall, 'path'>): ReadScope => (path[0] === 'Readers' ? 'groups' : 'articles');
