import { type ConcreteRequest, commitMutation, type Environment, fetchQuery, type Variables } from 'relay-runtime';
import type { ClientAnswer } from '../client-suite.ts';

interface RelayRequest {
  readonly request: ConcreteRequest;
  readonly variables?: Variables | undefined;
}

export async function runWithRelay(
  environment: Environment,
  { request, variables = {} }: RelayRequest,
): Promise<ClientAnswer> {
  if (request.params.operationKind === 'mutation') return mutate(environment, request, variables);
  const query = fetchQuery(environment, request, variables, { fetchPolicy: 'store-or-network' });
  return { data: await query.toPromise(), errors: [] };
}

const mutate = (environment: Environment, mutation: ConcreteRequest, variables: Variables): Promise<ClientAnswer> =>
  new Promise((resolve, reject) => {
    commitMutation(environment, {
      mutation,
      variables,
      onCompleted: (data, errors) => resolve({ data, errors: errors?.map(({ message }) => message) ?? [] }),
      onError: reject,
    });
  });
