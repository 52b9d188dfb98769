import { openSqliteScene } from '../../../state/shared/sqlite-scene.ts';
import { describeSharedBudget } from './shared-budget.ts';

describeSharedBudget('SQLite', openSqliteScene);
