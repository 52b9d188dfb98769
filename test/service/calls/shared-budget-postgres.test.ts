import { openPostgresScene } from '../../jobs/state/shared/postgres-scene.ts';
import { describeSharedBudget } from './shared-budget.ts';

describeSharedBudget('PostgreSQL', openPostgresScene);
