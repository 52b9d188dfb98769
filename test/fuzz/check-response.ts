import type { GraphQLAnswer } from '../support/gateway.ts';
import type { Path, Place } from './positions.ts';

export type Verdict = { readonly kind: 'accepted' | 'refused' } | { readonly kind: 'fault'; readonly why: string };

const fault = (why: string): Verdict => ({ kind: 'fault', why });

/** What becomes of an item or a write that says in words of its own what does not exist. */
const NAMED_REFUSALS: ReadonlySet<string> = new Set(['ServiceRejectedError', 'ReaderGroupNotFoundError']);

interface Outcome {
  readonly __typename?: string;
  readonly issues?: readonly { readonly path: readonly string[] }[];
  readonly serviceErrors?: readonly { readonly description: string | null }[];
  readonly results?: readonly { readonly __typename: string; readonly details: string | null }[];
}

/** Holds an answer against what every answer promises, whatever was sent. */
export function judge({ path }: Place, { status, body }: GraphQLAnswer): Verdict {
  if (status >= 500) return fault(`HTTP ${status}`);
  const [error] = body.errors ?? [];
  if (error) return judgeError(path, error);
  const data: { answer?: Outcome | null } = { ...body.data };
  return judgeOutcome(path, data.answer ?? {});
}

type AnswerError = NonNullable<GraphQLAnswer['body']['errors']>[number] & { readonly locations?: readonly unknown[] };

const isPlaced = (locations: readonly unknown[] | undefined): boolean => (locations?.length ?? 0) > 0;

function judgeError(path: Path, { message, locations, extensions = {} }: AnswerError): Verdict {
  const { code, issues } = extensions;
  if (code === 'VALIDATION_FAILED' && Array.isArray(issues))
    return named(
      path,
      issues.map((issue) => issue.path),
    );
  const variable = /"\$(\w+)"/u.exec(message)?.[1];
  if (variable === String(path[0])) {
    const at = / at "([^"]+)"/u.exec(message)?.[1];
    if (at === undefined && path.length > 1) return fault(`an error that names no place: ${message.slice(-200)}`);
    return at === undefined ? named(path, [[variable]]) : named(path, [at.replaceAll(/\[(\d+)\]/gu, '.$1').split('.')]);
  }
  // What is written into the document is found by line and column.
  if (isPlaced(locations) && (code === 'GRAPHQL_VALIDATION_FAILED' || code === 'GRAPHQL_PARSE_FAILED')) {
    return { kind: 'refused' };
  }
  // Of a whole query it is told what it would cost, by the names of its fields.
  if (code === 'QUERY_TOO_COSTLY') return { kind: 'refused' };
  // The body as a whole was refused, before GraphQL: no place in it was looked at.
  if (code === 'LIMIT_EXCEEDED' || code === 'BAD_REQUEST') return { kind: 'refused' };
  return fault(`an error that names no place: ${String(code)} ${message.slice(0, 200)}`);
}

function judgeOutcome(path: Path, { __typename = '', issues, serviceErrors, results }: Outcome): Verdict {
  if (__typename === 'ValidationError') return named(path, issues?.map((issue) => issue.path) ?? []);
  if (NAMED_REFUSALS.has(__typename)) {
    return serviceErrors?.every(({ description }) => description) && serviceErrors.length > 0
      ? { kind: 'refused' }
      : fault(`${__typename} without a reason`);
  }
  if (__typename.endsWith('Error')) return fault(__typename);
  const outcomes = results ?? [];
  if (
    outcomes.some(({ __typename: type }) => type === 'ArticleUpdateUnknown' || type === 'ArticleUpdateNotAttempted')
  ) {
    return fault('an item without a certain outcome');
  }
  const failed = outcomes.filter(({ __typename: type }) => type === 'ArticleUpdateFailed');
  if (failed.length === 0) return { kind: 'accepted' };
  return failed.every(({ details }) => details) ? { kind: 'refused' } : fault('an item that failed without a reason');
}

/** Whether one of the places that an answer names is the place of the value, above it or within it. */
function named(path: Path, places: readonly (readonly (string | number)[])[]): Verdict {
  const names = places.some((place) => {
    const length = Math.min(place.length, path.length);
    return place.length > 0 && place.slice(0, length).map(String).join() === path.slice(0, length).map(String).join();
  });
  return names ? { kind: 'refused' } : fault(`names ${JSON.stringify(places)}`);
}
