import { randomBytes } from 'node:crypto';
import type { GraphQLSchema } from 'graphql';
import type { BackendResult } from '../core/backend.ts';
import type { Clock } from '../core/base/clock.ts';
import { isObject, type JsonObject } from '../core/base/json.ts';
import { PREVIEW_LIFETIME_MS } from '../core/base/limits.ts';
import { err, ok } from '../core/base/result.ts';
import { type Caller, checkClientScope } from '../core/callers/caller.ts';
import { type BackendError, validationError } from '../core/errors.ts';
import { type PreviewRecord, previewTokenAnswer } from '../core/writes/codec.ts';
import type { IdempotencyKeys } from '../core/writes/idempotency-keys.ts';
import type { Execution } from '../graphql/execution/execution.ts';
import { reportErrors } from '../graphql/execution/operation-errors.ts';
import { createGraphQLError } from '../graphql/schema/graphql-errors.ts';
import { type PreparedTool, prepareTools } from './prepare-tools.ts';
import { readArguments } from './read-arguments.ts';
import { failedCall, type ToolResult, toolResultOf, withError } from './tool-results.ts';
import { CONTENT_OFFSET, type McpOptions, PREVIEW_TOKEN } from './tools.ts';

export interface ToolCallsOptions {
  readonly schema: GraphQLSchema;
  readonly execution: Pick<Execution, 'execute'>;
  readonly keys: IdempotencyKeys;
  readonly writes: McpOptions['writes'];
  readonly clock: Pick<Clock, 'now'>;
}

/** The tools that a gateway offers, and their calls. */
export interface ToolCalls {
  toolsFor(caller: Caller): readonly PreparedTool[];
  /** Calls a tool; null where no tool has the name. */
  call(name: string, args: JsonObject, caller: Caller): Promise<ToolResult> | null;
}

export function createToolCalls({ schema, execution, keys, writes, clock }: ToolCallsOptions): ToolCalls {
  const tools = prepareTools(schema, writes);
  const tokens = createPreviewTokens({ keys, clock });

  async function run(tool: PreparedTool, sent: JsonObject, caller: Caller): Promise<ToolResult> {
    const forbidden = missingScopeError(tool, caller);
    if (forbidden !== null) return refuse(tool, forbidden, caller);
    const read = readArguments(tool, sent);
    if (!read.ok) return failedCall(read.error, { code: 'BAD_USER_INPUT', requestId: caller.request.id });
    const args = read.value;
    const { [CONTENT_OFFSET]: contentOffset = 0, ...values } = args;
    let variableValues: JsonObject = values;
    if (tool.effect === 'write') {
      const { [PREVIEW_TOKEN]: token, ...input } = args;
      const checked = await tokens.check(caller, { name: tool.name, input }, token);
      if (!checked.ok) return refuse(tool, checked.error, caller);
      variableValues = withRevisions(values, checked.value);
    }
    const result = await execution.execute({ document: tool.parsed, caller, variableValues });
    reportErrors(caller, result);
    const toolResult = toolResultOf({ tool, result, contentOffset: Number(contentOffset) });
    // A preview returns a token only where writes are offered.
    if (tool.previewOf === undefined || toolResult.isError || writes !== 'on') return toolResult;
    const write = { name: tool.previewOf, input: args };
    return withToken(toolResult, { write, revisions: revisionsIn(result.data?.[tool.rootField]) }, caller);
  }

  async function withToken(
    preview: ToolResult,
    { write, revisions }: { readonly write: PreviewedWrite; readonly revisions: PreviewRecord['revisions'] },
    caller: Caller,
  ): Promise<ToolResult> {
    const { id: requestId } = caller.request;
    if (preview.isPartial) return withError(preview, { message: PARTIAL_PREVIEW, code: 'LIMIT_EXCEEDED', requestId });
    const token = await tokens.issue(caller, write, revisions);
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

/** The error about the first scope of the tool that the JWT of the caller lacks; null where it lacks none. */
function missingScopeError({ scopes }: PreparedTool, caller: Caller): BackendError | null {
  for (const scope of scopes) {
    const permitted = checkClientScope(caller, scope);
    if (!permitted.ok) return permitted.error;
  }
  return null;
}

interface PreviewedWrite {
  readonly name: string;
  readonly input: unknown;
}

/** The revisions that a preview shows, of its items or of the reader group. */
function revisionsIn(payload: unknown): PreviewRecord['revisions'] {
  if (!isObject(payload)) return [];
  const { results, readerGroup } = payload;
  const shown = Array.isArray(results) ? results : [readerGroup];
  return shown.map((one: unknown) => {
    const revision = isObject(one) ? one['revision'] : null;
    return typeof revision === 'string' ? revision : null;
  });
}

/** The variables of a write, which then overwrites nothing that was changed since the preview. */
function withRevisions(variables: JsonObject, revisions: PreviewRecord['revisions']): JsonObject {
  const expect = (item: unknown, index = 0): unknown => {
    const ifRevision = revisions[index];
    return isObject(item) && ifRevision != null ? { ifRevision, ...item } : item;
  };
  const { articles, input } = variables;
  if (Array.isArray(articles)) return { ...variables, articles: articles.map(expect) };
  return isObject(input) ? { ...variables, input: expect(input) } : variables;
}

const FORM = /^kbp_[\w-]{32}$/u;

/**
 * The tokens that allow a write after its preview: see docs/decisions/0037-mcp.md. Each is kept as an idempotency key
 * with the hash of the input, so that all gateways of one state know it, and only its caller can use it. The write uses
 * it as its idempotency key, and is made once.
 */
function createPreviewTokens({ keys, clock }: Pick<ToolCallsOptions, 'keys' | 'clock'>) {
  /** Returns the recorded time at which the token expires. `send` is called where there is none. */
  async function recorded(
    caller: Caller,
    { name, input }: PreviewedWrite,
    token: { readonly text: string; readonly send: () => BackendResult<PreviewRecord> },
  ): BackendResult<PreviewRecord> {
    const result = await keys.run(caller, {
      operation: `preview of ${name}`,
      idempotencyKey: token.text,
      lifetimeMs: PREVIEW_LIFETIME_MS,
      input,
      send: token.send,
      answer: previewTokenAnswer,
      outcomeUnknown: () => err(UNKNOWN_TOKEN),
    });
    if (!result.ok) return result;
    const { value } = result.value;
    return ok(typeof value === 'number' ? { expiresAt: value, revisions: [] } : value);
  }

  return {
    /** Creates a token. Times are in milliseconds since 1970. */
    async issue(caller: Caller, write: PreviewedWrite, revisions: PreviewRecord['revisions']) {
      const text = `kbp_${randomBytes(24).toString('base64url')}`;
      const expiresAt = clock.now() + PREVIEW_LIFETIME_MS;
      const kept = await recorded(caller, write, { text, send: async () => ok({ expiresAt, revisions }) });
      return kept.ok ? ok({ text, expiresAt }) : kept;
    },
    /** Checks that the caller previewed this input within the last ten minutes. Returns the revisions that were shown. */
    async check(caller: Caller, write: PreviewedWrite, text: unknown): BackendResult<PreviewRecord['revisions']> {
      if (typeof text !== 'string' || !FORM.test(text)) return err(NO_TOKEN);
      const found = await recorded(caller, write, { text, send: async () => err(UNKNOWN_TOKEN) });
      if (!found.ok) return err(found.error.kind === 'idempotency-conflict' ? OTHER_INPUT : found.error);
      return clock.now() < found.value.expiresAt ? ok(found.value.revisions) : err(EXPIRED_TOKEN);
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
