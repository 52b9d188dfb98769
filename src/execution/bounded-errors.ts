import { GraphQLError } from 'graphql';

/** What an answer without data may hold. With the rest of the answer it stays below 16 kB. */
const MAX_ERRORS = 20;
const MAX_BYTES = 15_000;

/** Characters. A message of graphql-js quotes what was sent, whatever its length. */
const MAX_MESSAGE = 500;
const MAX_LOCATIONS = 5;

/** Characters of a message that are looked at. Its end, where graphql-js says what is wrong, is kept. */
const MAX_SCANNED = 20_000;

const PLACE = / at "\w[\w.[\]]*"; /u;

const SUGGESTION = ' Did you mean ';

export interface BoundedErrorsOptions {
  /** Whether an error may name what would have been right; where introspection is off, that tells the schema bit by bit. */
  readonly suggestions: boolean;
}

export interface BoundedErrors {
  /** Of a request that was not executed: each with a code and a status. */
  refusals(errors: readonly GraphQLError[]): GraphQLError[];
  /** Beside data they are the outcomes of single fields: none of those is left out. */
  outcomes(errors: readonly GraphQLError[]): GraphQLError[];
}

/** Keeps what is told of errors short, so that no refusal outgrows the request that it refuses. */
export function createBoundedErrors({ suggestions }: BoundedErrorsOptions): BoundedErrors {
  const bound = (error: GraphQLError): GraphQLError => {
    const message = scannable(error.message);
    return shorten(error, suggestions ? message : withoutSuggestion(message));
  };
  return {
    refusals: (errors) => (errors.length === 0 ? [] : fitting(errors.map(bound).map(asRefusal))),
    outcomes: (errors) => errors.map(bound),
  };
}

/** Bounds a message that quotes a value, which may be as long as a request. */
function scannable(message: string): string {
  if (message.length <= MAX_SCANNED) return message;
  const half = MAX_SCANNED / 2;
  return `${message.slice(0, half).toWellFormed()}…${message.slice(-half).toWellFormed()}`;
}

/** A value that is quoted may hold the same words: then everything from there on goes, since what follows may be a suggestion. */
function withoutSuggestion(message: string): string {
  const start = message.indexOf(SUGGESTION);
  return start === -1 || !message.endsWith('?') ? message : message.slice(0, start);
}

/** As many of them as there is room for, the first in any case. */
function fitting(errors: readonly GraphQLError[]): GraphQLError[] {
  let room = MAX_BYTES;
  return errors.slice(0, MAX_ERRORS).filter((error, index) => {
    room -= Buffer.byteLength(JSON.stringify(error));
    return room >= 0 || index === 0;
  });
}

/** Keeps the beginning, and the place where graphql-js could not take a value: it names that behind the value. */
function shortText(text: string): string {
  if (text.length <= MAX_MESSAGE) return text;
  const half = MAX_MESSAGE / 2;
  const place = text.search(PLACE);
  return place < half ? cut(text, MAX_MESSAGE) : cut(text.slice(0, place), half) + cut(text.slice(place), half);
}

const cut = (text: string, length: number): string =>
  text.length > length ? `${text.slice(0, length).toWellFormed()}…` : text;

function shorten(error: GraphQLError, text: string): GraphQLError {
  const message = shortText(text);
  if (message === error.message && (error.nodes?.length ?? 0) <= MAX_LOCATIONS) return error;
  const { nodes, source = null, positions, path = null, originalError = null, extensions } = error;
  const places = {
    nodes: nodes?.slice(0, MAX_LOCATIONS) ?? null,
    positions: positions?.slice(0, MAX_LOCATIONS) ?? null,
  };
  return new GraphQLError(message, { ...places, source, path, originalError, extensions });
}

/**
 * What speaks against a request before anything of it is executed and has no code yet: variables that do not fit, say.
 * Over `application/json` it is a 200.
 */
function asRefusal(error: GraphQLError): GraphQLError {
  const isForeseen = !error.originalError || error.originalError instanceof GraphQLError;
  if (!isForeseen || error.extensions['code'] !== undefined) return error;
  Object.assign(error.extensions, { code: 'BAD_USER_INPUT', http: { spec: true, status: 400 } });
  return error;
}
