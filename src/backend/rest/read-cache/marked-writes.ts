import { err } from '../../../base/result.ts';
import { outOfTime } from '../../../domain/errors.ts';
import type { ReadScope } from '../../backend.ts';
import type { Call, CallStep, SendCall } from '../calls/call.ts';
import { isOutcomeKnown, notBegun, type RequestResult, type ServiceCall } from '../calls/service-call.ts';
import { tokenKeyOf } from '../calls/token-states.ts';
import type { ScopeMarks } from './scope-marks.ts';

/** Marks each write before it is sent, and lifts the mark before it is answered. */
export function createWriteMarks(marks: ScopeMarks, serviceUrl: string): CallStep {
  const sendMarked = async (call: Call, next: SendCall): Promise<RequestResult> => {
    const { operation, caller, apiToken } = call;
    const mark = await marks.begin(scopeOf(tokenKeyOf(serviceUrl, apiToken), operation), caller.deadline);
    if (mark === null) return err(notBegun(outOfTime(caller.requestTimeoutMs)));
    const result = await next(call);
    await mark.end(isOutcomeKnown(result));
    return result;
  };
  return (call, next) => (call.operation.kind === 'read' ? next(call) : sendMarked(call, next));
}

/** The reads of a token that a read belongs to, or that a write may change. */
export const scopeOf = (tokenKey: string, call: ServiceCall): string =>
  `${tokenKey}:${call.kind === 'write' ? call.staleReads : readScopeOf(call)}`;

const readScopeOf = ({ path }: Pick<ServiceCall, 'path'>): ReadScope => (path[0] === 'Readers' ? 'groups' : 'articles');
