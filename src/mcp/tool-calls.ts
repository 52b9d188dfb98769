import { randomBytes } from 'node:crypto';
import type { GraphQLSchema } from 'graphql';
import type { BackendResult } from '../core/backend.ts';
import type { Clock } from '../core/base/clock.ts';
import { PREVIEW_LIFETIME_MS } from '../core/base/limits.ts';
import { err, ok } from '../core/base/result.ts';
import { type Caller, checkClientScope } from '../core/callers/caller.ts';
import { type BackendError, validationError } from '../core/errors.ts';
import { previewTokenAnswer } from '../core/writes/codec.ts';
import type { IdempotencyKeys } from '../core/writes/idempotency-keys.ts';
import type { Execution } from '../graphql/execution/execution.ts';
import { reportErrors } from '../graphql/execution/operation-errors.ts';
import { createGraphQLError } from '../graphql/schema/graphql-errors.ts';
import { argumentProblem, type PreparedTool, prepareTools } from './prepare-tools.ts';
import { failedCall, type ToolResult, toolResultOf, withError } from './tool-results.ts';
import { CONTENT_OFFSET, type McpOptions, PREVIEW_TOKEN } from './tools.ts';

export interface ToolCallsOptions {
  readonly schema: GraphQLSchema;
  readonly execution: Pick<Execution, 'execute'>;
  readonly keys: IdempotencyKeys;
  readonly writes: McpOptions['writes'];
  readonly clock: Pick<Clock, 'now'>;
}

type Arguments = Readonly<Record<string, unknown>>;

/** The tools that a gateway offers, and the calls of them. */
export interface ToolCalls {
  /** The tools that the caller has the scopes for. */
  toolsFor(caller: Caller): readonly PreparedTool[];
  /** Null where no tool has the name. */
  call(name: string, args: Arguments, caller: Caller): Promise<ToolResult> | null;
}

export function createToolCalls({ schema, execution, keys, writes, clock }: ToolCallsOptions): ToolCalls {
  const tools = prepareTools(schema, writes);
  const tokens = createPreviewTokens({ keys, clock });

  async function run(tool: PreparedTool, args: Arguments, caller: Caller): Promise<ToolResult> {
    const forbidden = missingScopeError(tool, caller);
    if (forbidden !== null) return refuse(tool, forbidden, caller);
    const problem = argumentProblem(tool, args);
    if (problem !== null) return failedCall(problem, { code: 'BAD_USER_INPUT', requestId: caller.request.id });
    if (tool.effect === 'write') {
      const { [PREVIEW_TOKEN]: token, ...input } = args;
      const checked = await tokens.check(caller, { name: tool.name, input }, token);
      if (!checked.ok) return refuse(tool, checked.error, caller);
    }
    const { [CONTENT_OFFSET]: contentOffset = 0, ...variableValues } = args;
    const result = await execution.execute({ document: tool.parsed, caller, variableValues });
    reportErrors(caller, result);
    const toolResult = toolResultOf({ tool, result, contentOffset: Number(contentOffset) });
    // A preview gives a token only where a write could use it.
    if (tool.previewOf === undefined || toolResult.isError || writes !== 'on') return toolResult;
    return withToken(toolResult, { name: tool.previewOf, input: args }, caller);
  }

  async function withToken(preview: ToolResult, write: PreviewedWrite, caller: Caller): Promise<ToolResult> {
    const { id: requestId } = caller.request;
    if (preview.isPartial) return withError(preview, { message: PARTIAL_PREVIEW, code: 'LIMIT_EXCEEDED', requestId });
    const token = await tokens.issue(caller, write);
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

  return {
    toolsFor: (caller) => [...tools.values()].filter((tool) => missingScopeError(tool, caller) === null),
    call: (name, args, caller) => {
      const tool = tools.get(name);
      return tool === undefined ? null : run(tool, args, caller);
    },
  };
}

function refuse({ effect }: PreparedTool, error: BackendError, caller: Caller): ToolResult {
  const { message, extensions } = createGraphQLError(error);
  const mayHaveApplied = effect === 'write' && { mayHaveApplied: false };
  return failedCall(message, { ...extensions, ...mayHaveApplied, requestId: caller.request.id });
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

const FORM = /^kbp_[\w-]{32}$/u;

/**
 * The tokens that let a write follow its preview: see docs/decisions/0037-mcp.md. Each is kept as an idempotency key
 * with the hash of the input, so that all gateways of one state know it, and nobody else than its caller can use it.
 * The write takes it as its own idempotency key, and so is made once.
 */
function createPreviewTokens({ keys, clock }: Pick<ToolCallsOptions, 'keys' | 'clock'>) {
  /** Gives the time at which the token expires, as it was recorded; `send` is called where there is none. */
  async function recorded(
    caller: Caller,
    { name, input }: PreviewedWrite,
    token: { readonly text: string; readonly send: () => BackendResult<number> },
  ): BackendResult<number> {
    const result = await keys.run(caller, {
      operation: `preview of ${name}`,
      idempotencyKey: token.text,
      lifetimeMs: PREVIEW_LIFETIME_MS,
      input,
      send: token.send,
      answer: previewTokenAnswer,
      outcomeUnknown: () => err(UNKNOWN_TOKEN),
    });
    return result.ok ? ok(result.value.value) : result;
  }

  return {
    /** Creates a token. Times are in milliseconds since 1970. */
    async issue(caller: Caller, write: PreviewedWrite) {
      const text = `kbp_${randomBytes(24).toString('base64url')}`;
      const expiresAt = clock.now() + PREVIEW_LIFETIME_MS;
      const kept = await recorded(caller, write, { text, send: async () => ok(expiresAt) });
      return kept.ok ? ok({ text, expiresAt }) : kept;
    },
    /** Checks that the caller previewed this input within the last ten minutes. */
    async check(caller: Caller, write: PreviewedWrite, text: unknown): BackendResult<void> {
      if (typeof text !== 'string' || !FORM.test(text)) return err(NO_TOKEN);
      const found = await recorded(caller, write, { text, send: async () => err(UNKNOWN_TOKEN) });
      if (!found.ok) return err(found.error.kind === 'idempotency-conflict' ? OTHER_INPUT : found.error);
      return clock.now() < found.value ? ok(undefined) : err(EXPIRED_TOKEN);
    },
  };
}

const tokenError = (message: string): BackendError =>
  validationError([{ path: [PREVIEW_TOKEN], message: `${message} This call wrote nothing.` }]);

const NO_TOKEN = tokenError('previewToken must be the token that the preview of this input gave.');

const UNKNOWN_TOKEN = tokenError('There is no such previewToken of this caller for this tool: make a preview first.');

const OTHER_INPUT = tokenError('The previewToken belongs to another input: make a preview of this one first.');

const EXPIRED_TOKEN = tokenError(
  'The previewToken is older than ten minutes. A call with it before may have written: read what is there, then make the preview again.',
);
