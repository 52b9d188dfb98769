import { withinTime } from '../../../core/base/clock.ts';
import { lazily } from '../../../core/base/lazily.ts';
import { type Log, silentLog } from '../../../core/base/log.ts';
import { type Metrics, noMetrics } from '../../../core/metrics.ts';
import { type SharedState, STATE_TIMEOUT_MS } from '../../../core/shared-state.ts';
import { StateUnavailable } from '../../../core/state-unavailable.ts';
import { DatabaseAway } from '../../../store/database/database-away.ts';
import type { ServingDatabase } from '../../../store/database/open-database.ts';
import { openStateDatabase, type StateDatabaseOptions } from '../state-database.ts';
import type { StateTables } from '../tables.ts';
import { createAcceptedTokens } from './accepted-tokens.ts';
import { createSharedCreations } from './announced-creations.ts';
import { RegisteredGateway } from './gateways.ts';
import { SessionLocks } from './group-locks.ts';
import { createReadMarks } from './read-marks.ts';
import { StateLink } from './state-link.ts';
import { createSharedBudgets } from './token-budgets.ts';

/** Where the shared state is. */
export interface SharedStateOptions extends Pick<StateDatabaseOptions, 'url' | 'setting'> {
  readonly log?: Log;
  readonly metrics?: Metrics;
}

/** Connections of one process to PostgreSQL: one for locks, and those for all else. */
const POOL_SIZE = 4;

/**
 * Opens the shared state, which is in PostgreSQL and in which this gateway takes part from then on. One that is away is
 * opened once it is there. Throws with a message for people where the setting can't be right.
 */
export async function openSharedState(options: SharedStateOptions): Promise<SharedState> {
  const { log = silentLog, metrics = noMetrics } = options;
  const link = new StateLink({ open: () => openSharedDatabase(options), log, metrics });
  const gateway = new RegisteredGateway(link);
  const groupLocks = new SessionLocks(link, () => gateway.count);
  const shared: SharedState = {
    budgets: createSharedBudgets(link),
    groupLocks,
    invalidations: createReadMarks(link),
    acceptedTokens: createAcceptedTokens(link),
    creations: createSharedCreations(link),
    gatewayCount: () => gateway.count,
    problem: () => link.problem,
    close: lazily(async () => {
      await gateway.leave().catch(() => {});
      await groupLocks.close();
      await link.close();
    }),
  };
  try {
    const opened = await withinTime(gateway.sendHeartbeat(), STATE_TIMEOUT_MS);
    if (opened === null) link.fail('TIMEOUT', null);
  } catch (error) {
    if (error instanceof DatabaseAway) link.fail('NOT_OPENED', error);
    else if (!(error instanceof StateUnavailable)) {
      await shared.close();
      throw error;
    }
  }
  return shared;
}

async function openSharedDatabase({ url, setting, log }: SharedStateOptions): Promise<ServingDatabase<StateTables>> {
  const options = { url, setting, poolSize: POOL_SIZE, timeoutMs: STATE_TIMEOUT_MS, log };
  const database = await openStateDatabase(options);
  try {
    if (database.dialect.clock === null)
      throw new Error(`${setting} must name PostgreSQL: gateways share no state in SQLite.`);
    return database;
  } catch (error) {
    await database.close();
    throw error;
  }
}
