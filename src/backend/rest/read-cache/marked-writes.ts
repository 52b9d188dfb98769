import { joinFences } from '../../../base/fence.ts';
import { err } from '../../../base/result.ts';
import type { ReadScope } from '../../backend.ts';
import type { Call, CallStep, SendCall } from '../calls/call.ts';
import { isOutcomeKnown, notBegun, type RequestResult, type ServiceCall } from '../calls/service-call.ts';
import { tokenKeyOf } from '../calls/token-states.ts';
import type { ScopeMarks } from './scope-marks.ts';

/** Marks each write before it is sent, and lifts the mark before it is answered. */
export function createWriteMarks(marks: ScopeMarks, serviceUrl: string): CallStep {
  const sendMarked = async (call: Call, next: SendCall): Promise<RequestResult> => {
    const { operation, apiToken } = call;
    const begun = await marks.begin(scopeOf(tokenKeyOf(serviceUrl, apiToken), operation));
    if (!begun.ok) return err(notBegun(begun.error));
    const mark = begun.value;
    const result = await next({ ...call, fence: joinFences([call.fence, mark.fence]) });
    await mark.end(isOutcomeKnown(result));
    return result;
  };
  return (call, next) => (call.operation.kind === 'read' ? next(call) : sendMarked(call, next));
}

/** The reads of a token that a read belongs to, or that a write may change. */
export const scopeOf = (tokenKey: string, call: ServiceCall): string =>
  `${tokenKey}:${call.kind === 'write' ? call.staleReads : readScopeOf(call)}`;

const readScopeOf = ({ path }: Pick<ServiceCall, 'path'>): ReadScope => (path[0] === 'Readers' ? 'groups' : 'articles');
