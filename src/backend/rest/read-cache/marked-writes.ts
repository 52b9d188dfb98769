import { err, ok } from '../../../base/result.ts';
import type { Caller } from '../../../domain/callers/caller.ts';
import { outOfTime } from '../../../domain/errors.ts';
import type { RequestResult } from '../calls/http-request.ts';
import type { ServiceCall } from '../calls/service-call.ts';
import { tokenKeyOf } from '../calls/token-states.ts';
import type { Upstream } from '../upstream.ts';
import { readWriteResponse } from '../writes/write-response.ts';
import { scopeOf } from './read-scopes.ts';
import type { ScopeMarks, WriteMark } from './scope-marks.ts';

interface MarkedWritesOptions {
  readonly marks: ScopeMarks;
  readonly serviceUrl: string;
}

/** Marks each write before it is sent, and lifts the mark before it is answered. */
export function markWrites(upstream: Upstream, { marks, serviceUrl }: MarkedWritesOptions): Upstream {
  return {
    ...upstream,
    async send(caller, call) {
      const apiToken = upstream.tokenOf(caller);
      if (call.method === 'GET' || apiToken === null) return upstream.send(caller, call);
      const scope = scopeOf(tokenKeyOf(serviceUrl, apiToken), call);
      const write = createMarkedWrite(call, caller, () => marks.begin(scope, caller.deadline));
      const result = await upstream.send(caller, write.call);
      await write.end(result);
      return result;
    },
  };
}

function createMarkedWrite(call: ServiceCall, caller: Caller, begin: () => Promise<WriteMark | null>) {
  let mark: WriteMark | null = null;
  const beforeSend = async () => {
    const refused = mark;
    mark = await begin();
    await refused?.end(true);
    if (mark === null) return err(outOfTime(caller.requestTimeoutMs));
    return call.beforeSend ? call.beforeSend() : ok(undefined);
  };
  return {
    call: { ...call, beforeSend },
    end: async (result: RequestResult) => mark?.end(isOutcomeKnown(result)),
  };
}

function isOutcomeKnown(result: RequestResult): boolean {
  if (result.ok) return readWriteResponse(result.value).kind !== 'unknown';
  return result.error.kind === 'not-begun' || result.error.kind === 'not-connected';
}
