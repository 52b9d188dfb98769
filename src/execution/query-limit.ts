import { GraphQLError } from 'graphql';

/** A document that goes beyond a limit. It is refused whatever media type the client asked for. */
export const queryLimitError = (message: string): GraphQLError =>
  new GraphQLError(message, { extensions: { code: 'LIMIT_EXCEEDED', http: { status: 400 } } });
