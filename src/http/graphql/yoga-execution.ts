import type { ExecutionResult } from 'graphql';
import type { FetchAPI, Plugin } from 'graphql-yoga';
import type { Execution } from '../../execution/execution.ts';
import { recordRateLimitedErrors } from '../../execution/operation-errors.ts';
import { negotiateMediaType } from './accept.ts';
import { assignErrorStatuses } from './error-statuses.ts';
import type { YogaContext } from './yoga-handler.ts';

/** Makes Yoga use the gateway's parse, validate and execute, and bounds the errors that Yoga reports. */
export const useExecution = (execution: Execution): Plugin<YogaContext, YogaContext> => ({
  onParse: ({ context: { requested, caller }, setParsedDocument }) => {
    if (requested === null) throw new Error('The document was not requested.');
    caller.request.trustedOperation = requested.trustedName;
    setParsedDocument(execution.parse(requested));
  },
  onValidate: ({ setValidationFn }) => setValidationFn((_schema, document) => execution.validate(document)),
  onExecute: ({ context: { caller }, setExecuteFn }) => setExecuteFn((args) => execution.execute({ ...args, caller })),
  onResultProcess: ({ request, result, setResult, setResultProcessor, serverContext }) => {
    if (!isExecutionResult(result)) return;
    const { caller } = serverContext;
    recordRateLimitedErrors(caller, result);
    const { data, errors = [] } = result;
    serverContext.hasErrors = errors.length > 0;
    if (data === undefined) {
      const bounded = { ...result, errors: execution.requestErrors(errors, caller) };
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
  new fetchAPI.Response(JSON.stringify(result), { headers: resultHeaders(mediaType) });

const writeLargeResult =
  (json: Promise<Buffer<ArrayBuffer>>) =>
  async (_result: object, fetchAPI: FetchAPI, mediaType: string): Promise<Response> =>
    new fetchAPI.Response(await json, { headers: resultHeaders(mediaType) });

const resultHeaders = (mediaType: string) => ({ 'content-type': `${mediaType}; charset=utf-8` });
