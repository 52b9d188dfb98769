import { randomBytes } from 'node:crypto';
import type { GraphQLSchema } from 'graphql';
import type { BackendResult } from '../backend/backend.ts';
import type { Clock } from '../base/clock.ts';
import { PREVIEW_LIFETIME_MS } from '../base/limits.ts';
import { err, ok, type Result } from '../base/result.ts';
import { type Caller, checkClientScope } from '../domain/callers/caller.ts';
import { type BackendError, validationError } from '../domain/errors.ts';
import type { Execution } from '../execution/execution.ts';
import { recordRateLimitedErrors } from '../execution/operation-errors.ts';
import type { IdempotencyKeys } from '../jobs/idempotency-keys.ts';
import { createGraphQLError } from '../schema/graphql-errors.ts';
import { previewTokenAnswer } from '../state/codec.ts';
import { argumentProblem, type OfferedWrites, type PreparedTool, prepareTools } from './prepare-tools.ts';
import { failedCall, type ToolResult, toolResultOf, withError } from './tool-results.ts';
import { CONTENT_OFFSET, PREVIEW_TOKEN } from './tools.ts';

export interface ToolCallsOptions {
  readonly schema: GraphQLSchema;
  readonly execution: Pick<Execution, 'execute'>;
  readonly keys: IdempotencyKeys;
  readonly writes: OfferedWrites;
  readonly clock: Pick<Clock, 'now'>;
}

type Arguments = Readonly<Record<string, unknown>>;

/** The tools that a gateway offers, and the calls of them. */
export class ToolCalls {
  readonly #execution: Pick<Execution, 'execute'>;
  readonly #tools: ReadonlyMap<string, PreparedTool>;
  readonly #tokens: PreviewTokens;
  /** False where no write could take the token of a preview. */
  readonly #givesTokens: boolean;

  constructor({ schema, execution, writes, ...tokenOptions }: ToolCallsOptions) {
    this.#execution = execution;
    this.#tools = prepareTools(schema, writes);
    this.#tokens = new PreviewTokens(tokenOptions);
    this.#givesTokens = writes === 'on';
  }

  /** The tools that the caller has the scopes for. */
  toolsFor(caller: Caller): readonly PreparedTool[] {
    return [...this.#tools.values()].filter((tool) => missingScopeError(tool, caller) === null);
  }

  /** Null where no tool has the name. */
  call(name: string, args: Arguments, caller: Caller): Promise<ToolResult> | null {
    const tool = this.#tools.get(name);
    return tool === undefined ? null : this.#run(tool, args, caller);
  }

  async #run(tool: PreparedTool, args: Arguments, caller: Caller): Promise<ToolResult> {
    const forbidden = missingScopeError(tool, caller);
    if (forbidden !== null) return this.#refuse(tool, forbidden, caller);
    const problem = argumentProblem(tool, args);
    if (problem !== null) return failedCall(problem, { code: 'BAD_USER_INPUT', requestId: caller.request.id });
    if (tool.effect === 'write') {
      const { [PREVIEW_TOKEN]: token, ...input } = args;
      const checked = await this.#tokens.check(caller, { name: tool.name, input }, token);
      if (!checked.ok) return this.#refuse(tool, checked.error, caller);
    }
    return this.#execute(tool, args, caller);
  }

  async #execute(tool: PreparedTool, args: Arguments, caller: Caller): Promise<ToolResult> {
    const { [CONTENT_OFFSET]: contentOffset = 0, ...variableValues } = args;
    const result = await this.#execution.execute({ document: tool.parsed, caller, variableValues });
    recordRateLimitedErrors(caller, result);
    const toolResult = toolResultOf({ tool, result, contentOffset: Number(contentOffset) });
    if (tool.previewOf === undefined || toolResult.isError || !this.#givesTokens) return toolResult;
    return this.#withToken(toolResult, { name: tool.previewOf, input: args }, caller);
  }

  async #withToken(
    preview: ToolResult,
    write: { readonly name: string; readonly input: Arguments },
    caller: Caller,
  ): Promise<ToolResult> {
    const { id: requestId } = caller.request;
    if (preview.isPartial) return withError(preview, { message: PARTIAL_PREVIEW, code: 'LIMIT_EXCEEDED', requestId });
    const token = await this.#tokens.issue(caller, write);
    if (!token.ok) {
      const { message, extensions } = createGraphQLError(token.error);
      return withError(preview, { ...extensions, message: `The preview has no token: ${message}`, requestId });
    }
    const previewTokenExpiresAt = new Date(token.value.expiresAt).toISOString();
    return {
      ...preview,
      structuredContent: { ...preview.structuredContent, previewToken: token.value.text, previewTokenExpiresAt },
    };
  }

  #refuse({ effect }: PreparedTool, error: BackendError, caller: Caller): ToolResult {
    const { message, extensions } = createGraphQLError(error);
    const mayHaveApplied = effect === 'write' && { mayHaveApplied: false };
    return failedCall(message, { ...extensions, ...mayHaveApplied, requestId: caller.request.id });
  }
}

const PARTIAL_PREVIEW =
  'The preview does not show the whole change, so it has no token. `truncated` names what was cut: preview fewer articles, or shorter texts and lists, at a time. `errors` names what could not be read: make the preview again. The changes of an article that would fail are not shown: leave it out, or mend what its `issues` name.';

/** The first scope of the tool that the JWT of the caller lacks, as an error. */
function missingScopeError({ scopes }: PreparedTool, caller: Caller): BackendError | null {
  for (const scope of scopes) {
    const permitted = checkClientScope(caller, scope);
    if (!permitted.ok) return permitted.error;
  }
  return null;
}

/** A write that was previewed: its name and its input. */
interface PreviewedWrite {
  readonly name: string;
  readonly input: unknown;
}

interface PreviewToken {
  readonly text: string;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
}

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
class PreviewTokens {
  readonly #keys: IdempotencyKeys;
  readonly #clock: Pick<Clock, 'now'>;

  constructor({ keys, clock }: PreviewTokensOptions) {
    this.#keys = keys;
    this.#clock = clock;
  }

  async issue(caller: Caller, write: PreviewedWrite): BackendResult<PreviewToken> {
    const text = `kbp_${randomBytes(24).toString('base64url')}`;
    const expiresAt = this.#clock.now() + PREVIEW_LIFETIME_MS;
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
      lifetimeMs: PREVIEW_LIFETIME_MS,
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
