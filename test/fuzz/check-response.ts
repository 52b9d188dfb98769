import type { GraphQLAnswer } from '../support/gateway.ts';
import type { InputPosition, Path } from './positions.ts';

export type Verdict = { readonly kind: 'accepted' | 'refused' } | { readonly kind: 'fault'; readonly why: string };

const fault = (why: string): Verdict => ({ kind: 'fault', why });

/** Rejections of items or writes that name the missing thing in their own text. */
const NAMED_REFUSALS: ReadonlySet<string> = new Set(['ServiceRejectedError', 'ReaderGroupNotFoundError']);

/** Errors that name the argument by their type. A preview finds out by a read, so the service has said nothing. */
const MISSING_THINGS: Readonly<Record<string, string>> = {
  ReaderGroupNotFoundError: 'groupId',
  ChangedSinceError: 'ifRevision',
};

interface Issue {
  readonly path: readonly string[];
}

/** An outcome of an item, or its preview. */
interface ItemResult {
  readonly __typename?: string;
  readonly details?: string | null;
  /** Why an item was not attempted. */
  readonly reason?: string;
  readonly issues?: readonly Issue[];
}

interface Outcome {
  readonly __typename?: string;
  readonly issues?: readonly Issue[];
  readonly serviceErrors?: readonly { readonly description: string | null }[];
  readonly results?: readonly ItemResult[];
}

/** Checks a response against the promises that hold for every response. */
export function checkResponse({ operation, path }: InputPosition, { status, body }: GraphQLAnswer): Verdict {
  if (status >= 500) return fault(`HTTP ${status}`);
  const [error] = body.errors ?? [];
  if (error) return checkExtensions(operation, error) ?? checkError(path, error);
  const data: { answer?: Outcome | null } = { ...body.data };
  return checkOutcome(path, data.answer ?? {});
}

type AnswerError = NonNullable<GraphQLAnswer['body']['errors']>[number] & { readonly locations?: readonly unknown[] };

const hasLocations = (locations: readonly unknown[] | undefined): boolean => (locations?.length ?? 0) > 0;

/** Null when the error has a code and, in a mutation, tells what became of the write. */
function checkExtensions(
  operation: InputPosition['operation'],
  { path, extensions = {} }: AnswerError,
): Verdict | null {
  const { code, mayHaveApplied } = extensions;
  if (typeof code !== 'string') return fault('an error without a code');
  const isOfWrite = operation === 'mutation' && path !== undefined;
  return isOfWrite && typeof mayHaveApplied !== 'boolean' ? fault('an error that tells nothing of the write') : null;
}

/**
 * The cost of a whole query is reported by the names of its fields, and a body that is rejected as a whole is so before
 * GraphQL reads any position.
 */
const isOfWholeRequest = (code: unknown): boolean =>
  code === 'QUERY_TOO_COSTLY' || code === 'LIMIT_EXCEEDED' || code === 'BAD_REQUEST';

/** The service lacks what one member of the arguments asks for. */
const isNotOffered = (path: Path, code: unknown, message: string): boolean =>
  code === 'NOT_OFFERED' && message.includes(`the ${path.join(' ')}`);

function checkError(path: Path, { message, locations, extensions = {} }: AnswerError): Verdict {
  const { code, issues } = extensions;
  if (code === 'VALIDATION_FAILED' && Array.isArray(issues))
    return named(
      path,
      issues.map((issue) => issue.path),
    );
  const variable = /"\$(\w+)"/u.exec(message)?.[1];
  if (variable === String(path[0])) {
    const at = / at "([^"]+)"/u.exec(message)?.[1];
    if (at === undefined && path.length > 1) return fault(`an error that names no position: ${message.slice(-200)}`);
    return at === undefined ? named(path, [[variable]]) : named(path, [at.replaceAll(/\[(\d+)\]/gu, '.$1').split('.')]);
  }
  // A literal in the document is located by line and column.
  if (hasLocations(locations) && (code === 'GRAPHQL_VALIDATION_FAILED' || code === 'GRAPHQL_PARSE_FAILED')) {
    return { kind: 'refused' };
  }
  if (isOfWholeRequest(code) || isNotOffered(path, code, message)) return { kind: 'refused' };
  return fault(`an error that names no position: ${String(code)} ${message.slice(0, 200)}`);
}

/** A revert names no job beside the value, which is looked for once all else is valid. */
const isOfMissingThing = (typeName: string, path: Path): boolean =>
  typeName === 'JobNotFoundError' ||
  (Object.hasOwn(MISSING_THINGS, typeName) && MISSING_THINGS[typeName] === path.at(-1));

/** A text that is no revision of the article is a revision that it no longer has. */
const isOfRevision = (path: Path, reason: string | undefined): boolean =>
  path.at(-1) === 'ifRevision' && reason === 'CHANGED_SINCE';

function checkOutcome(path: Path, { __typename = '', issues, serviceErrors, results }: Outcome): Verdict {
  if (__typename === 'ValidationError') return named(path, issues?.map((issue) => issue.path) ?? []);
  if (isOfMissingThing(__typename, path)) return { kind: 'refused' };
  if (NAMED_REFUSALS.has(__typename)) {
    return serviceErrors?.every(({ description }) => description) && serviceErrors.length > 0
      ? { kind: 'refused' }
      : fault(`${__typename} without a reason`);
  }
  if (__typename.endsWith('Error')) return fault(__typename);
  const outcomes = results ?? [];
  const findings = [...(issues ?? []), ...outcomes.flatMap((preview) => preview.issues ?? [])];
  if (findings.length > 0)
    return named(
      path,
      findings.map((issue) => issue.path),
    );
  const isUncertain = ({ __typename: type, reason }: ItemResult) =>
    type === 'ArticleUpdateUnknown' || (type === 'ArticleUpdateNotAttempted' && !isOfRevision(path, reason));
  if (outcomes.some(isUncertain)) return fault('an item without a certain outcome');
  const failed = outcomes.filter(
    ({ __typename: type }) => type === 'ArticleUpdateFailed' || type === 'ArticleUpdateNotAttempted',
  );
  if (failed.length === 0) return { kind: 'accepted' };
  return failed.every(({ details }) => details) ? { kind: 'refused' } : fault('an item that failed without a reason');
}

type Position = readonly (string | number)[];

/** True when one of the named positions is that of the value, above it or within it, or that of a member which it requires. */
function named(path: Path, positions: readonly Position[]): Verdict {
  const names = positions.some((position) => areNested(position, path) || isRequiredBy(path, position));
  return names ? { kind: 'refused' } : fault(`names ${JSON.stringify(positions)}`);
}

function areNested(position: Position, path: Path): boolean {
  const length = Math.min(position.length, path.length);
  return (
    position.length > 0 && position.slice(0, length).map(String).join() === path.slice(0, length).map(String).join()
  );
}

/** Publishing requires the account that publishes, so the missing account is named. */
const isRequiredBy = (path: Path, position: Position): boolean =>
  path.at(-1) === 'publish' && position.map(String).join() === [...path.slice(0, -1), 'userId'].map(String).join();
