import { randomBytes } from 'node:crypto';
import type { BackendResult } from '../backend/backend.ts';
import type { Clock } from '../base/clock.ts';
import { err, ok, type Result } from '../base/result.ts';
import type { Caller } from '../domain/callers/caller.ts';
import { type BackendError, validationError } from '../domain/errors.ts';
import type { IdempotencyKeys } from '../jobs/idempotency-keys.ts';
import { previewTokenAnswer } from '../state/codec.ts';
import { PREVIEW_TOKEN } from './tools/tool.ts';

/** A write that was previewed: its name and its input. */
interface PreviewedWrite {
  readonly name: string;
  readonly input: unknown;
}

export interface PreviewToken {
  readonly text: string;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
}

/** How long a write may follow its preview. */
const LIFETIME_MS = 10 * 60_000;

const FORM = /^kbp_[\w-]{32}$/u;

interface PreviewTokensOptions {
  readonly keys: IdempotencyKeys;
  readonly clock: Pick<Clock, 'now'>;
}

/**
 * The tokens that let a write follow its preview: see docs/decisions/0037-mcp.md. Each is kept as an idempotency key
 * with the hash of the input, so that all gateways of one state know it, and nobody else than its caller can use it.
 * The write takes it as its own idempotency key, and so is made once.
 */
export class PreviewTokens {
  readonly #keys: IdempotencyKeys;
  readonly #clock: Pick<Clock, 'now'>;

  constructor({ keys, clock }: PreviewTokensOptions) {
    this.#keys = keys;
    this.#clock = clock;
  }

  async issue(caller: Caller, write: PreviewedWrite): BackendResult<PreviewToken> {
    const text = `kbp_${randomBytes(24).toString('base64url')}`;
    const expiresAt = this.#clock.now() + LIFETIME_MS;
    const kept = await this.#run(caller, write, { text, send: async () => ok(expiresAt) });
    return kept.ok ? ok({ text, expiresAt }) : kept;
  }

  /** Checks that the caller previewed this input within the last ten minutes. */
  async check(caller: Caller, write: PreviewedWrite, text: unknown): Promise<Result<void, BackendError>> {
    if (typeof text !== 'string' || !FORM.test(text)) return err(NO_TOKEN);
    const found = await this.#run(caller, write, { text, send: async () => err(UNKNOWN_TOKEN) });
    if (!found.ok) return err(found.error.kind === 'idempotency-conflict' ? OTHER_INPUT : found.error);
    return this.#clock.now() < found.value ? ok(undefined) : err(EXPIRED_TOKEN);
  }

  /** Gives the time that was recorded with the token; `send` is called where there is none. */
  async #run(
    caller: Caller,
    { name, input }: PreviewedWrite,
    { text, send }: { readonly text: string; readonly send: () => Promise<Result<number, BackendError>> },
  ): BackendResult<number> {
    const result = await this.#keys.run(caller, {
      operation: `preview of ${name}`,
      idempotencyKey: text,
      input,
      send,
      answer: previewTokenAnswer,
      outcomeUnknown: () => err(UNKNOWN_TOKEN),
    });
    return result.ok ? ok(result.value.value) : result;
  }
}

const tokenError = (message: string): BackendError =>
  validationError([{ path: [PREVIEW_TOKEN], message: `${message} This call wrote nothing.` }]);

const NO_TOKEN = tokenError('previewToken must be the token that the preview of this input gave.');

const UNKNOWN_TOKEN = tokenError('There is no such previewToken of this caller for this tool: make a preview first.');

const OTHER_INPUT = tokenError('The previewToken belongs to another input: make a preview of this one first.');

const EXPIRED_TOKEN = tokenError(
  'The previewToken is older than ten minutes. A call with it before may have written: read what is there, then make the preview again.',
);
