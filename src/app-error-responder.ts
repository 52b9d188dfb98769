import { errorEnvelope, rejection } from './facade/errors.ts';
import { createErrorResponder, type ErrorResponder } from './http/responses/error-responder.ts';
import { createGraphQLError, ERROR_TRAITS } from './schema/errors/graphql-errors.ts';
import { httpStatusOf } from './v2/errors.ts';

/** Sends errors in the form of the route: that of GraphQL, or the envelope of the service where the store is `local`. */
export const createAppErrorResponder = (local: boolean): ErrorResponder =>
  createErrorResponder({
    graphqlBody: (error, requestId) => {
      const { message, extensions } = createGraphQLError(error);
      return JSON.stringify({ errors: [{ message, extensions: { ...extensions, requestId } }] });
    },
    facadeBody: local
      ? (error) => errorEnvelope('status' in error ? rejection(error.status, error.message) : error)
      : null,
    codeOf: ({ kind }) => ERROR_TRAITS[kind].code,
    httpStatusOf,
  });
