import type { DocumentNode, ExecutionResult, OperationDefinitionNode } from 'graphql';
import type { Caller } from '../domain/callers/caller.ts';
import type { RequestedOperation, RequestRecord } from '../domain/callers/request-record.ts';
import type { VariableValues } from './executor/execution-args.ts';

interface OperationArgs {
  readonly document: DocumentNode;
  readonly operationName?: string | null | undefined;
  readonly variableValues?: VariableValues | null | undefined;
  readonly caller: Caller;
}

export type ExecuteOperation = (args: OperationArgs) => ExecutionResult | Promise<ExecutionResult>;

/** Characters of the name of an operation, which may be as long as a document. */
const MAX_NAME = 100;

export const requestedOperation = (
  { operation, name }: OperationDefinitionNode,
  { tokens }: RequestRecord,
): RequestedOperation => ({
  type: operation,
  name: name && !tokens.areIn(name.value) ? name.value.slice(0, MAX_NAME) : null,
});
