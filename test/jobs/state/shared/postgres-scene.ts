import { openSharedState } from '../../../../src/jobs/state/shared/open-shared-state.ts';
import { reuseDatabase } from '../reused-database.ts';

const TABLES = ['gateways', 'token_budgets', 'group_locks', 'read_scopes', 'read_marks', 'announced_creations'];

export const openStateAt = (url: string) => openSharedState({ url, setting: 'STATE_URL' });

export const openPostgresScene = reuseDatabase({
  open: openStateAt,
  clear: TABLES.map((table) => `delete from ${table}`).join(';'),
});
