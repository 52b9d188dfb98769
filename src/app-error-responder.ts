import { errorEnvelope, rejection } from './facade/errors.ts';
import { createErrorResponder, type ErrorResponder } from './http/responses/error-responder.ts';
import { ERROR_TRAITS, extensionsOf } from './schema/errors/graphql-errors.ts';
import { httpStatusOf } from './v2/errors.ts';

/** Sends errors in the form of the route: that of GraphQL, or the envelope of the service where the store is `local`. */
export const createAppErrorResponder = (local: boolean): ErrorResponder =>
  createErrorResponder({
    // Written without an error object, whose creation would take a thirtieth of the time under overload.
    graphqlBody: (error, requestId) =>
      JSON.stringify({ errors: [{ message: error.message, extensions: { ...extensionsOf(error), requestId } }] }),
    facadeBody: local
      ? (error) => errorEnvelope('status' in error ? rejection(error.status, error.message) : error)
      : null,
    codeOf: ({ kind }) => ERROR_TRAITS[kind].code,
    httpStatusOf,
  });
