import type { AbuseRequest } from '../measure/request.ts';
import type { TargetName } from '../targets/targets.ts';
import type { Attempt } from './attempts.ts';

/** The writes of a store since its data was fresh: a request may break a bound only after them. */
export interface Journal {
  note(target: TargetName, request: AbuseRequest, attempt: Attempt): void;
  of(target: TargetName): readonly AbuseRequest[];
  isFull(target: TargetName): boolean;
  forget(target: TargetName): void;
  restore(target: TargetName, writes: readonly AbuseRequest[]): void;
}

const MAX_BYTES = 30_000_000;
const MAX_WRITES = 300;

const isWrite = ({ method, body }: AbuseRequest): boolean =>
  method === 'PUT' || (method === 'POST' && body.startsWith('{"query":"mutation'));

export function createJournal(): Journal {
  const writes = new Map<TargetName, AbuseRequest[]>();
  const of = (target: TargetName): AbuseRequest[] => writes.get(target) ?? [];
  return {
    note: (target, request, { answer }) => {
      if (target === 'service' || answer.status !== 200 || !isWrite(request)) return;
      if (/"ArticleUpdated"|Payload"|"success":true/u.test(answer.text)) writes.set(target, [...of(target), request]);
    },
    of,
    isFull: (target) =>
      of(target).length > MAX_WRITES || of(target).reduce((sum, { body }) => sum + body.length, 0) > MAX_BYTES,
    forget: (target) => writes.delete(target),
    restore: (target, before) => writes.set(target, [...before]),
  };
}
