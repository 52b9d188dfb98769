import { errorEnvelope, rejection } from './facade/errors.ts';
import { createErrorResponder, type ErrorResponder } from './http/responses/error-responder.ts';
import { ERROR_TRAITS, extensionsOf } from './schema/graphql-errors.ts';
import { httpStatusOf } from './v2/errors.ts';

interface ResponderOptions {
  readonly local: boolean;
  /** True where errors of GraphQL may have only members that tell no name of the schema. */
  readonly hidesSchema: boolean;
}

/** Sends errors in the form of the route: that of GraphQL, or the envelope of the service where the store is `local`. */
export const createAppErrorResponder = ({ local, hidesSchema }: ResponderOptions): ErrorResponder =>
  createErrorResponder({
    // Written without an error object, whose creation would take a thirtieth of the time under overload.
    graphqlBody: (error, requestId) => {
      const traits = hidesSchema ? ERROR_TRAITS[error.kind] : extensionsOf(error);
      return JSON.stringify({ errors: [{ message: error.message, extensions: { ...traits, requestId } }] });
    },
    facadeBody: local
      ? (error) => errorEnvelope('status' in error ? rejection(error.status, error.message) : error)
      : null,
    codeOf: ({ kind }) => ERROR_TRAITS[kind].code,
    httpStatusOf,
  });
