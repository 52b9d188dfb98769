import { err, ok, type Result } from '../../base/result.ts';
import type { CompletedBulkUpdate } from '../../domain/articles/bulk-updates.ts';
import { type BackendError, type Rejection, rejected } from '../../domain/errors.ts';
import type { BulkUpdateRequest } from './batch.ts';
import { createNoticeRouter, type NoticeRouter } from './notice-router.ts';

type BulkUpdateResult = Result<CompletedBulkUpdate, BackendError>;

/** The result of a merged call, divided among its requests. */
export interface SplitResult {
  /** In the order of the batch: the outcomes of the request's own items, and the notices about them. */
  readonly results: readonly BulkUpdateResult[];
  /** The number of notices that no caller receives. */
  readonly withheld: Readonly<Record<keyof ServiceMessages, number>>;
}

export function splitResult(batch: readonly BulkUpdateRequest[], result: BulkUpdateResult): SplitResult {
  const route = createNoticeRouter(batch);
  return result.ok ? splitSuccess(batch, result.value, route) : splitFailure(batch, result.error, route);
}

function splitSuccess(
  batch: readonly BulkUpdateRequest[],
  update: CompletedBulkUpdate,
  route: NoticeRouter,
): SplitResult {
  const { messagesFor, withheld } = routeMessages(update, route);
  let end = 0;
  const results = batch.map((request) => {
    const start = end;
    end += request.updates.length;
    // The extension data cannot be attributed to a request.
    return ok({ outcomes: update.outcomes.slice(start, end), ...messagesFor(request), extensionData: null });
  });
  return { results, withheld };
}

function splitFailure(batch: readonly BulkUpdateRequest[], error: BackendError, route: NoticeRouter): SplitResult {
  const { messagesFor, withheld } = routeMessages({ warnings: [], information: [], ...error }, route);
  const errorFor =
    error.kind === 'rejected'
      ? rejectionFor(error)
      : ({ serviceErrors }: ServiceMessages): BackendError => ({ ...error, serviceErrors });
  return { results: batch.map((request) => err(errorFor(messagesFor(request)))), withheld };
}

type ServiceMessages = Pick<Rejection, 'serviceErrors' | 'warnings' | 'information'>;

function routeMessages(messages: ServiceMessages, route: NoticeRouter) {
  const serviceErrors = route(messages.serviceErrors);
  const warnings = route(messages.warnings);
  const information = route(messages.information);
  return {
    messagesFor: (request: BulkUpdateRequest): ServiceMessages => ({
      serviceErrors: serviceErrors.for(request),
      warnings: warnings.for(request),
      information: information.for(request),
    }),
    withheld: {
      serviceErrors: serviceErrors.withheld,
      warnings: warnings.withheld,
      information: information.withheld,
    },
  };
}

/** Every caller receives a message of the gateway. One made of the service's texts is made again of the routed ones. */
function rejectionFor({ message, ...rejection }: Extract<BackendError, { kind: 'rejected' }>) {
  const isGatewayMessage = message !== rejected(rejection).message;
  return (messages: ServiceMessages): BackendError => {
    const callerRejection = rejected({ ...rejection, ...messages });
    return isGatewayMessage ? { ...callerRejection, message } : callerRejection;
  };
}
