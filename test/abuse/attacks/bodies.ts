import { EXPENSIVE } from '../expensive-requests.ts';
import type { Attack, TokenKind } from './attack.ts';
import { graphql } from './attack.ts';

/* The requests whose outcomes `npm test` asserts, with an accepted token and without one. */

const NO_JSON = {
  name: '10 MB that are not JSON',
  body: `{"query":"{ __typename }","variables":${' Did you mean '.repeat(700_000)}`,
};

const bodies = (token: TokenKind): readonly Attack[] =>
  [...EXPENSIVE, NO_JSON].map(({ name, body }) => ({
    name: `${name}, token ${token}`,
    target: 'store',
    token,
    run: async ({ send }) => [await send({ ...graphql(token, ''), body })],
  }));

export const BODIES: readonly Attack[] = [...bodies('known'), ...bodies('none')];
