import type { OperationDefinitionNode } from 'graphql';
import type { RequestedOperation } from '../domain/callers/request-record.ts';

/** Characters of the name of an operation, which may be as long as a document. */
const MAX_NAME = 100;

export const requestedOperation = ({ operation, name }: OperationDefinitionNode): RequestedOperation => ({
  type: operation,
  name: name ? name.value.slice(0, MAX_NAME) : null,
});
