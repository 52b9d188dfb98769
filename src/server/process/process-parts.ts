import type { Tracer } from '@opentelemetry/api';
import type { Backend } from '../../core/backend.ts';
import { MAX_ARTICLE_LAG_MS } from '../../core/base/limits.ts';
import type { Log } from '../../core/base/log.ts';
import { err, ok, type Result } from '../../core/base/result.ts';
import { TickQueue } from '../../core/base/tick-queue.ts';
import type { Metrics } from '../../core/metrics.ts';
import type { SharedState } from '../../core/shared-state.ts';
import { NoPlaceForState, StateUnavailable } from '../../core/state-unavailable.ts';
import type { PreparedDocuments } from '../../graphql/execution/prepared-documents.ts';
import { createJobs, type Jobs } from '../../jobs/create-jobs.ts';
import type { Ledger } from '../../jobs/state/ledger.ts';
import type { Authenticate } from '../auth/host-auth.ts';
import type { Config, StateConfig } from '../config.ts';
import { checkStore, openBackend } from '../open-backend.ts';
import { userAgent } from '../package-version.ts';
import { type Access, openAccess } from './access.ts';
import { type AuditLog, openAuditLog } from './audit-log.ts';
import { checkFiles } from './check-files.ts';

/** The parts that every serving process opens before its backend. */
export interface ProcessInputs {
  readonly audit: AuditLog | null;
  readonly documents: PreparedDocuments;
  readonly access: Access;
}

/**
 * Checks all files, opens the audit log, checks the store, and opens the tokens last, since one may be generated. The
 * error, or the message of a thrown Error, is a reason for people.
 */
export async function openProcessInputs(
  config: Config,
  documents: Result<PreparedDocuments, string>,
  { log, authenticate }: { readonly log: Log; readonly authenticate?: Authenticate | undefined },
): Promise<Result<ProcessInputs, string>> {
  const files = await checkFiles(config, documents, authenticate !== undefined);
  if (!files.ok) return files;
  const audit = await openAuditLog(config.audit, log);
  if (!audit.ok) return audit;
  await checkStore(config.backend);
  const access = await openAccess(config, log, authenticate);
  return access.ok ? ok({ audit: audit.value, documents: files.value.documents, access: access.value }) : access;
}

interface PartsContext extends Pick<ProcessInputs, 'access' | 'audit'> {
  readonly tracer: Tracer | null;
  readonly log: Log;
  readonly metrics: Metrics;
  /** Called before the state is opened; throws where this process must not use the state. */
  readonly beforeOpeningState?: () => void;
}

/** The parts that answer requests, with the queue of the process for large bodies. */
export type ProcessParts = Awaited<ReturnType<typeof openProcessParts>>;

/** Opens the backend of the settings, and the jobs over it. `opened` closes them in reverse order. */
export async function openProcessParts(config: Config, context: PartsContext, opened: AsyncDisposableStack) {
  const { access, audit, tracer, log, metrics } = context;
  const shared = await openSharedState(config, context);
  // The gateway leaves the shared state after its writes have ended.
  if (shared !== null) opened.defer(() => shared.close());
  const ticks = new TickQueue();
  const backend = await openBackend({
    config: config.backend,
    apiTokens: access.tokens,
    userAgent: userAgent(),
    coalesceWrites: config.coalesceWrites,
    // The keys are those of the jobs, which write by the backend.
    keys: () => jobs.idempotencyKeys,
    shared,
    onSharedFailure: config.state.onFailure,
    ticks,
    audit,
    tracer,
    log,
    metrics,
  });
  opened.defer(() => backend.close());
  const jobs = await createConfiguredJobs(config, backend, context);
  // Jobs use the backend until they have ended.
  opened.defer(() => jobs.close());
  const checkReady = () => checkReadyWithState(backend, { jobs, shared, onFailure: config.state.onFailure });
  return { backend: { ...backend, checkReady }, jobs, ticks };
}

/** Opens the state that gateways in front of the service share; null where this gateway shares none. */
async function openSharedState({ state, backend }: Config, { log, metrics }: PartsContext) {
  if (!state.isShared || backend.kind !== 'rest') return null;
  // The module is loaded only where it is used, since most gateways in front of a service need no database.
  const { openSharedState: open } = await import('../../jobs/state/shared/open-shared-state.ts');
  const { url, setting } = state;
  return open({ url, setting, log, metrics });
}

interface NeededState extends Pick<StateConfig, 'onFailure'> {
  readonly jobs: Jobs;
  readonly shared: SharedState | null;
}

/** Checks that the backend and the required state can be used. The reasons have no address. */
async function checkReadyWithState(backend: Backend, { jobs, shared, onFailure }: NeededState) {
  // The shared state may be in the same database as the jobs. It is asked first, since its reason is more exact.
  if (onFailure === 'closed' && shared !== null && shared.problem() !== null)
    return err('The state that the gateways share cannot be used.');
  const ready = await backend.checkReady();
  return ready.ok && jobs.isFailing() ? err('The state of jobs and idempotency keys cannot be used.') : ready;
}

/** Connections of one process to PostgreSQL for the state. One of them is for its heartbeat. */
const STATE_POOL_SIZE = 6;

/** Items of one transaction of the embedded store. It is short enough for other writes to run between two. */
const STORE_BULK_SIZE = 100;

/** Creates the jobs and keys of the settings. The state is opened at its first use, or now where it may have jobs. */
async function createConfiguredJobs(
  { state, backend: service }: Config,
  backend: Backend,
  context: PartsContext,
): Promise<Jobs> {
  const { access, log, metrics } = context;
  const { mayHaveState, mayHaveUnfinishedJobs, placeProblemOf } = await import('../../jobs/state/state-file.ts');
  const hasState = () => mayHaveState(state.url);
  const problem = placeProblemOf(state.url);
  if (problem !== null) log('warn', 'there is no place to keep jobs and idempotency keys', { reason: problem });
  // With STATE_FAILURE=open, a gateway is ready without the shared state.
  const isRequired = state.isNamed && !(state.isShared && state.onFailure === 'open');
  const isNeeded = () => isRequired || mayHaveUnfinishedJobs(state.url);
  const jobs = createJobs({
    backend,
    openLedger: (serviceUrl) => openState(state, serviceUrl, context),
    hasState,
    isNeeded,
    settings: {
      maxItems: state.maxJobItems,
      maxBytes: state.maxBytes,
      // All callers have the one token then.
      hasOneCaller: service.kind === 'local' && access.clients === null && access.tokens.length === 1,
      openMs: state.openMs,
      keepMs: state.keepMs,
      bulkSize: service.kind === 'rest' ? service.bulkSize : STORE_BULK_SIZE,
      keepsHidden: service.kind === 'rest' && service.keepsHidden,
      callTimeoutMs: service.kind === 'rest' ? service.timeoutMs : 0,
      readLagMs: service.kind === 'rest' ? MAX_ARTICLE_LAG_MS : 0,
    },
    credentials:
      service.kind === 'rest'
        ? { serviceUrl: service.baseUrl, ownToken: service.apiToken }
        : { serviceUrl: null, ownToken: access.tokens[0] ?? null },
    log,
    metrics,
  });
  // A state that `STATE_URL` names is tried until it can be written.
  if (hasState() || (state.isNamed && problem !== null)) jobs.start();
  return jobs;
}

/** The modules of databases are loaded only where they are used, since most gateways in front of a service need none. */
async function openState(
  { url, setting, isNamed }: StateConfig,
  serviceUrl: string | null,
  { beforeOpeningState, tracer, log }: PartsContext,
): Promise<Ledger> {
  const { openLedger } = await import('../../jobs/state/open-ledger.ts');
  try {
    beforeOpeningState?.();
    return await openLedger({ url, setting, poolSize: STATE_POOL_SIZE, serviceUrl, tracer, log });
  } catch (error) {
    if (!(error instanceof Error) || error instanceof StateUnavailable) throw error;
    const { mayHaveUnfinishedJobs, placeProblemOf } = await import('../../jobs/state/state-file.ts');
    const hasNoPlace = !isNamed && placeProblemOf(url) !== null && !mayHaveUnfinishedJobs(url);
    throw new (hasNoPlace ? NoPlaceForState : StateUnavailable)(error.message, { cause: error });
  }
}
