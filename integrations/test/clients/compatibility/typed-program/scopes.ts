import type { ScopeInput } from './client-types.ts';

export const scopes: readonly ScopeInput[] = [
  { level: 'PROJECT' },
  { categories: [{ projectVersionId: 'fernlight-2', categoryId: 'first-steps', languageCode: 'en' }] },
  { projectVersionIds: ['fernlight-1'] },
  { languages: [{ projectVersionId: 'fernlight-2', languageCode: 'de' }] },
];
