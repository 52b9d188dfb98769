import { type DocumentNode, print } from 'graphql';
import type { Target } from '../../../../test/clients/demo-gateway.ts';
import type { TestClient } from '../client-suite.ts';

/** A client, and the gateway with the demo that it talks to. */
export interface Session {
  readonly client: TestClient;
  readonly target: Target;
  operationOf(name: string): DocumentNode;
}

interface PlainAnswer<Data> {
  readonly data: Data;
  readonly errors: readonly string[];
}

/** Sends an operation without a library: a client must return what this returns. */
export async function sendPlainly<Data = unknown>(
  { target, operationOf }: Omit<Session, 'client'>,
  name: string,
  variables: object,
): Promise<PlainAnswer<Data>> {
  const response = await fetch(target.url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-token': target.token },
    body: JSON.stringify({ query: print(operationOf(name)), variables }),
  });
  const { data, errors = [] }: { data: Data; errors?: readonly { message: string }[] } = await response.json();
  return { data, errors: errors.map(({ message }) => message) };
}
