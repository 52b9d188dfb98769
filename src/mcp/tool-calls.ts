import type { GraphQLSchema } from 'graphql';
import type { Clock } from '../base/clock.ts';
import { type Caller, checkClientScope } from '../domain/callers/caller.ts';
import type { BackendError } from '../domain/errors.ts';
import type { Execution } from '../execution/execution.ts';
import { recordRateLimitedErrors } from '../execution/operation-errors.ts';
import type { IdempotencyKeys } from '../jobs/idempotency-keys.ts';
import { createGraphQLError } from '../schema/graphql-errors.ts';
import { PreviewTokens } from './preview-tokens.ts';
import { failedCall, type ToolResult, toolResultOf, withError } from './results/tool-results.ts';
import { argumentProblem } from './tools/check-arguments.ts';
import { type OfferedWrites, type PreparedTool, prepareTools } from './tools/prepare-tools.ts';
import { CONTENT_OFFSET, PREVIEW_TOKEN } from './tools/tool.ts';

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
