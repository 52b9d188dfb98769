import type { ExecutionResult } from 'graphql';
import type { FetchAPI, Plugin } from 'graphql-yoga';
import type { Execution } from '../../execution/execution.ts';
import { negotiateMediaType } from './accept.ts';
import { assignErrorStatuses } from './error-statuses.ts';
import { retryAfterSecondsOf } from './retry-after.ts';
import type { YogaContext } from './yoga-handler.ts';

/** Makes Yoga use the gateway's parse, validate and execute, and bounds the errors that Yoga reports. */
export const useExecution = (execution: Execution): Plugin<YogaContext> => ({
  onParse: ({ params, setParsedDocument }) => setParsedDocument(execution.parse(params.source.toString())),
  onValidate: ({ setValidationFn }) => setValidationFn((_schema, document) => execution.validate(document)),
  onExecute: ({ context: { caller }, setExecuteFn }) => setExecuteFn((args) => execution.execute({ ...args, caller })),
  onResultProcess: ({ request, result, setResult, setResultProcessor }) => {
    if (!isExecutionResult(result)) return;
    const { data, errors = [] } = result;
    if (data === undefined) {
      const bounded = { ...result, errors: execution.errors.requestErrors(errors) };
      assignErrorStatuses(bounded);
      setResult(bounded);
      return;
    }
    const mediaType = negotiateMediaType(request.headers.get('accept') ?? undefined);
    if (mediaType === null) return;
    const large = execution.writeLarge(result);
    if (large !== null) setResultProcessor(writeLargeResult(large), mediaType);
    else if (errors.length > 0) setResultProcessor(writeResultOnce, mediaType);
  },
});

const isExecutionResult = (result: object): result is ExecutionResult => 'data' in result || 'errors' in result;

/** Writes what Yoga would, which copies each of possibly thousands of errors twice. */
const writeResultOnce = (result: object, fetchAPI: FetchAPI, mediaType: string): Response =>
  new fetchAPI.Response(JSON.stringify(result), { headers: resultHeaders(result, mediaType) });

const writeLargeResult =
  (json: Promise<Buffer<ArrayBuffer>>) =>
  async (result: object, fetchAPI: FetchAPI, mediaType: string): Promise<Response> =>
    new fetchAPI.Response(await json, { headers: resultHeaders(result, mediaType) });

function resultHeaders(result: object, mediaType: string) {
  const seconds = retryAfterSecondsOf(result);
  return {
    'content-type': `${mediaType}; charset=utf-8`,
    ...(seconds !== null && { 'retry-after': `${seconds}` }),
  };
}
