import type { ExecutionResult, GraphQLFormattedError } from 'graphql';
import { isObject } from '../../base/json/json-objects.ts';
import type { PreparedTool } from '../tools/prepare-tools.ts';
import { BoundedValues, SHORT_PARTS, WHOLE_PARTS } from './bounded-values.ts';
import { pageContent } from './content-pages.ts';

/** The result of a call, as a client gets it. */
export interface ToolResult {
  readonly structuredContent: Readonly<Record<string, unknown>>;
  /** True where nothing was done as asked. */
  readonly isError: boolean;
  /** True where a part was cut, could not be read, or has no changes told, so that a preview does not show the whole change. */
  readonly isPartial?: boolean;
  /** A remark that stands before the result. */
  readonly note?: string;
}

/** Creates the result of a call that ended before its operation. Errors are as in `extensions` of GraphQL. */
export const failedCall = (message: string, extensions: Readonly<Record<string, unknown>>): ToolResult => ({
  structuredContent: { errors: [{ message, ...extensions }] },
  isError: true,
});

/** Returns the result with one error more. */
export function withError(result: ToolResult, error: Readonly<Record<string, unknown>>): ToolResult {
  const { errors } = result.structuredContent;
  const all = [...(Array.isArray(errors) ? errors : []), error];
  return { ...result, structuredContent: { ...result.structuredContent, errors: all } };
}

interface ResultParts {
  readonly tool: PreparedTool;
  readonly result: ExecutionResult;
  readonly contentOffset: number;
}

/** Creates the result of an operation, within the bounds of a result. */
export function toolResultOf({ tool, result, contentOffset }: ResultParts): ToolResult {
  const values = new BoundedValues(tool.effect === 'preview' ? WHOLE_PARTS : SHORT_PARTS);
  const root = result.data?.[tool.rootField] ?? null;
  const errors = result.errors?.map((error) => describeError(error.toJSON()));
  const structuredContent = {
    ...(result.data && boundedData(values, { tool, root, contentOffset })),
    ...(errors !== undefined && { errors: values.bound(errors, ['errors']) }),
    ...(values.truncations.length > 0 && { truncated: values.truncations }),
  };
  if (tool.effect === 'write' && isObject(root) && root['replayed'] === true)
    return { structuredContent, isError: true, note: USED_TOKEN };
  const failed = isObject(root) && tool.errorTypes.has(`${root['__typename']}`);
  const isError = failed || (root === null && errors !== undefined);
  const isPartial = errors !== undefined || values.truncations.length > 0 || hasFailingItem(root);
  return { structuredContent, isError, isPartial };
}

/** The changes of an item that would fail are not told, and the service may make them nevertheless. */
const hasFailingItem = (root: unknown): boolean =>
  isObject(root) &&
  Array.isArray(root['results']) &&
  root['results'].some((item: unknown) => isObject(item) && item['wouldSucceed'] === false);

function boundedData(
  values: BoundedValues,
  { tool, root, contentOffset }: { tool: PreparedTool; root: unknown; contentOffset: number },
): Readonly<Record<string, unknown>> {
  const { rootField } = tool;
  if (!tool.pagesContent) return { [rootField]: values.bound(root, [rootField]) };
  const { article, texts, contentPage } = pageContent(root, contentOffset);
  const bounded = values.bound(article, [rootField]);
  return { [rootField]: isObject(bounded) ? { ...bounded, ...texts } : bounded, contentPage };
}

const describeError = ({ message, path, extensions }: GraphQLFormattedError) => ({
  message,
  ...(path !== undefined && { path }),
  ...extensions,
});

const USED_TOKEN =
  'This previewToken was used before, so that this call wrote nothing. Below stands the recorded answer of the call that used it.';
