import { z } from 'zod';
import { oneOf, wholeNumberSetting } from '../setting-types.ts';
import { databaseUrl, isPostgres } from './database-url.ts';

/** The state in front of the service. */
const DEFAULT_STATE_URL = 'sqlite:data/state.db';

/** The place and the bounds of the state, which holds jobs and idempotency keys. */
export interface StateConfig {
  /** `sqlite:PATH`, `sqlite::memory:` or `postgres://…`: the database of the store unless `STATE_URL` names another. */
  readonly url: string;
  /** The setting that the URL comes from, for messages. */
  readonly setting: 'STATE_URL' | 'DATABASE_URL';
  /** True where several gateways in front of one service share budgets, locks and marks through PostgreSQL. */
  readonly isShared: boolean;
  /** The fate of group writes while the state can't be reached: they fail unsent, or go on without its lock. */
  readonly onFailure: 'closed' | 'open';
  /** The most items of one job. */
  readonly maxJobItems: number;
  /** A bound on all that is kept at one time. */
  readonly maxBytes: number;
  /** How long an open job waits for its next part. */
  readonly openMs: number;
  /** How long the results of jobs and the answers to keys are kept. */
  readonly keepMs: number;
}

const SECOND_MS = 1_000;
const DAY_MS = 24 * 60 * 60 * SECOND_MS;

export const stateSettings = z.object({
  STATE_URL: databaseUrl.optional(),
  STATE_FAILURE: oneOf(['closed', 'open'], 'closed'),
  MAX_JOB_ITEMS: wholeNumberSetting(1_000_000, 1, 10_000_000),
  MAX_STATE_BYTES: wholeNumberSetting(1024 ** 3, 1024 ** 2, 1024 ** 4),
  JOB_OPEN_SECONDS: wholeNumberSetting(3_600, 1, 7 * 24 * 60 * 60),
  JOB_KEEP_DAYS: wholeNumberSetting(30, 1, 3_650),
});

type StateSettings = z.infer<typeof stateSettings>;

/** `storeUrl` is the database of the embedded store; null in front of the service. */
export const stateConfig = (settings: StateSettings, storeUrl: string | null): StateConfig =>
  Object.freeze({
    url: settings.STATE_URL ?? storeUrl ?? DEFAULT_STATE_URL,
    setting: settings.STATE_URL === undefined && storeUrl !== null ? 'DATABASE_URL' : 'STATE_URL',
    isShared: storeUrl === null && isPostgres(settings.STATE_URL ?? ''),
    onFailure: settings.STATE_FAILURE,
    maxJobItems: settings.MAX_JOB_ITEMS,
    maxBytes: settings.MAX_STATE_BYTES,
    openMs: settings.JOB_OPEN_SECONDS * SECOND_MS,
    keepMs: settings.JOB_KEEP_DAYS * DAY_MS,
  });
