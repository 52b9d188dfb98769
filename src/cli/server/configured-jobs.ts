import type { Tracer } from '@opentelemetry/api';
import type { Backend } from '../../backend/backend.ts';
import type { Log } from '../../base/log.ts';
import type { StateConfig } from '../../config/databases/state.ts';
import type { Config } from '../../config.ts';
import type { Metrics } from '../../domain/metrics.ts';
import { createJobs, type Jobs } from '../../jobs/create-jobs.ts';
import type { Ledger } from '../../state/ledger.ts';
import type { LedgerOptions } from '../../state/open-ledger.ts';
import { StateUnavailable } from '../../state/state-unavailable.ts';
import type { Access } from '../access/access.ts';

interface JobParts {
  readonly config: Config;
  readonly access: Access;
  readonly backend: Backend;
  readonly tracer: Tracer | null;
  readonly log: Log;
  readonly metrics: Metrics;
  /** Called before the state is opened; throws where this process must not run it. */
  readonly beforeOpening?: () => void;
}

/** Connections of one process to PostgreSQL for the state. */
const STATE_POOL_SIZE = 4;

/** Items of one transaction of the embedded store, short enough for other writes to go between two. */
const STORE_BULK_SIZE = 100;

/** Creates the jobs and keys of the settings. The state is opened at its first use, or now where it may have jobs. */
export async function createConfiguredJobs(parts: JobParts): Promise<Jobs> {
  const { config, access, backend, tracer, log, metrics, beforeOpening = () => {} } = parts;
  const { state } = config;
  const { kind } = config.backend;
  const { mayHaveState } = await import('../../state/state-file.ts');
  const hasState = () => mayHaveState(state.url);
  const jobs = createJobs({
    backend,
    openLedger: async (serviceUrl) => {
      beforeOpening();
      return openState(state, { serviceUrl, tracer, log });
    },
    hasState,
    settings: {
      maxItems: state.maxJobItems,
      maxBytes: state.maxBytes,
      openMs: state.openMs,
      keepMs: state.keepMs,
      bulkSize: kind === 'rest' ? config.backend.bulkSize : STORE_BULK_SIZE,
      callTimeoutMs: kind === 'rest' ? config.backend.timeoutMs : 0,
    },
    binding:
      kind === 'rest'
        ? { serviceUrl: config.backend.baseUrl, ownToken: config.backend.apiToken }
        : { serviceUrl: null, ownToken: access.tokens[0] ?? null },
    log,
    metrics,
  });
  if (hasState()) jobs.start();
  return jobs;
}

/** The modules of databases are loaded only when used: most gateways in front of a service need none. */
async function openState(
  { url, setting }: StateConfig,
  options: Pick<LedgerOptions, 'serviceUrl' | 'tracer' | 'log'>,
): Promise<Ledger> {
  const { openLedger } = await import('../../state/open-ledger.ts');
  try {
    return await openLedger({ url, setting, poolSize: STATE_POOL_SIZE, ...options });
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    throw new StateUnavailable(error.message, { cause: error });
  }
}
