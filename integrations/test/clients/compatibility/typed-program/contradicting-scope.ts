import type { ScopeInput } from './client-types.ts';

export const contradicting: ScopeInput = { level: 'PROJECT', projectVersionIds: ['fernlight-1'] };
