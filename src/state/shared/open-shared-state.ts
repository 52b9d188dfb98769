import { type Log, silentLog } from '../../base/log.ts';
import { type Metrics, noMetrics } from '../../domain/metrics.ts';
import { openStateDatabase, type StateDatabaseOptions } from '../tables/state-database.ts';
import { startBeating } from './beats.ts';
import { Membership } from './gateways.ts';
import { createGroupLocks, type LockDriver } from './locks/group-locks.ts';
import { refuseTransactionPooler } from './locks/pooler-check.ts';
import { createSessionLocks } from './locks/session-locks.ts';
import { createReadMarks } from './read-marks.ts';
import { type SharedState, STATE_TIMEOUT_MS } from './shared-state.ts';
import { StateLink } from './state-link.ts';
import { createSharedBudgets } from './token-budgets.ts';
import { UnmarkedScopes } from './unmarked-scopes.ts';

export interface SharedStateOptions extends Pick<StateDatabaseOptions, 'url' | 'setting'> {
  /** The place of this process, where one process follows another: its host and its port. */
  readonly name: string;
  /** How long a write may take effect after its process has ended, in milliseconds. */
  readonly writeMs: number;
  readonly log?: Log;
  readonly metrics?: Metrics;
}

/** Connections of one process to PostgreSQL: one for locks, and those for all else. */
const POOL_SIZE = 4;

/** Opens the shared state, which is in PostgreSQL and in which this gateway takes part from then on. Throws with a message for people. */
export async function openSharedState(options: SharedStateOptions): Promise<SharedState> {
  const { url, setting, log = silentLog, metrics = noMetrics } = options;
  const timeoutMs = STATE_TIMEOUT_MS;
  const database = await openStateDatabase({ url, setting, poolSize: POOL_SIZE, timeoutMs, log });
  const { sessionLocks: dialect, clock } = database.dialect;
  if (dialect === null || clock === null) {
    await database.close();
    throw new Error(`${setting} must name PostgreSQL: gateways share no state in SQLite.`);
  }
  const link = new StateLink({ database, clock, log, timeoutMs });
  try {
    await refuseTransactionPooler({ link, dialect }, setting);
    const locks = createSessionLocks({ link, dialect }, clock);
    const unmarked = new UnmarkedScopes();
    const membership = new Membership({ link, name: options.name, writeMs: options.writeMs, unmarked });
    await membership.join();
    metrics.observe('sharedStateUp', () => (link.problem === null ? 1 : 0));
    return serve({ link, locks, membership, unmarked });
  } catch (error) {
    await link.close();
    throw error;
  }
}

interface Parts {
  readonly link: StateLink;
  readonly locks: LockDriver;
  readonly membership: Membership;
  readonly unmarked: UnmarkedScopes;
}

function serve({ link, locks, membership, unmarked }: Parts): SharedState {
  const beats = startBeating(link, membership);
  let closed: Promise<void> | null = null;
  const close = async () => {
    await beats.stop();
    await membership.leave().catch(() => {});
    await locks.close();
    await link.close();
  };
  return {
    budgets: createSharedBudgets(link),
    groupLocks: createGroupLocks({ link, driver: locks, gatewayCount: () => membership.count }),
    readMarks: createReadMarks(link, unmarked),
    gatewayCount: () => membership.count,
    missingFrom: () => membership.missingFrom,
    problem: () => link.problem,
    close: () => {
      closed ??= close();
      return closed;
    },
  };
}
