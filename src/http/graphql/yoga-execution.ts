import type { ExecutionResult } from 'graphql';
import type { FetchAPI, Plugin } from 'graphql-yoga';
import type { Execution } from '../../execution/execution.ts';
import type { ServerContext } from './fast-path.ts';
import { mediaTypeOf } from './request-params.ts';
import { retryAfterOf } from './retry-after.ts';

const UTF_8 = /; *charset=utf-8/giu;

/** Gives Yoga our own parse, validate and execute, and keeps what it says of errors within the same bounds. */
export const useExecution = (execution: Execution): Plugin<ServerContext> => ({
  onParse: ({ params, setParsedDocument }) => setParsedDocument(execution.parse(params.source.toString())),
  onValidate: ({ setValidationFn }) => setValidationFn((_schema, document) => execution.validate(document)),
  onExecute: ({ context: { caller }, setExecuteFn }) => setExecuteFn((args) => execution.execute({ ...args, caller })),
  onResultProcess: ({ request, result, setResult, setResultProcessor }) => {
    if (!isResult(result)) return;
    const { data, errors = [] } = result;
    if (data === undefined) setResult({ ...result, errors: execution.errors.refusals(errors) });
    const mediaType = mediaTypeOf(request.headers.get('accept')?.replaceAll(UTF_8, '') ?? '*/*');
    if (data === undefined || mediaType === null) return;
    const large = execution.writeLarge(result);
    if (large !== null) setResultProcessor(writer(large), mediaType);
    else if (errors.length > 0) setResultProcessor(writePartial, mediaType);
  },
});

const isResult = (result: object): result is ExecutionResult => 'data' in result || 'errors' in result;

/** Yoga would write the same, and make each error, of which there may be thousands, two more times. */
const writePartial = (result: object, fetchAPI: FetchAPI, mediaType: string): Response =>
  new fetchAPI.Response(JSON.stringify(result), { headers: headersOf(result, mediaType) });

const writer =
  (written: Promise<Buffer<ArrayBuffer>>) =>
  async (result: object, fetchAPI: FetchAPI, mediaType: string): Promise<Response> =>
    new fetchAPI.Response(await written, { headers: headersOf(result, mediaType) });

function headersOf(result: object, mediaType: string) {
  const seconds = retryAfterOf(result);
  return {
    'content-type': `${mediaType}; charset=utf-8`,
    ...(seconds !== null && { 'retry-after': `${seconds}` }),
  };
}
