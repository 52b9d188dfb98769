import { times } from '../../support/repeat.ts';
import { type Answer, createSender } from '../measure/request.ts';
import { type Attack, type AttackContext, graphql } from './attack.ts';

/*
 * Many callers with made-up tokens, who may fill what all callers share. The bystander's accepted token must be served.
 */

/** The longest that a caller with an accepted token may wait for a small query, in milliseconds. */
const MAX_WAIT_MS = 3_000;

/** Concurrent callers, each with a token of their own that the service takes long to reject. */
async function crowd({ origin, signal }: AttackContext, callers: number, query: string): Promise<readonly Answer[]> {
  const send = async (_: unknown, index: number): Promise<Answer> => {
    const sender = createSender(origin);
    const request = graphql('made up', query);
    const headers = { ...request.headers, api_token: `slow-${index}` };
    const answer = await sender.send({ ...request, headers }, signal);
    sender.close();
    return answer;
  };
  return Promise.all(Array.from({ length: callers }, send));
}

const fromCrowd = (name: string, callers: number, query: string): Attack => ({
  name,
  target: 'service',
  token: 'made up',
  isCrowd: true,
  maxWaitMs: MAX_WAIT_MS,
  run: (context) => crowd(context, callers, query),
});

export const UNTRUSTED: readonly Attack[] = [
  fromCrowd(
    '1,000 made-up tokens with queries of five calls',
    1_000,
    `{ ${times(5, (n) => `a${n}: readers(emailContains: "${n}") { totalCount }`)} }`,
  ),
  fromCrowd(
    '300 changes of the members of one group by made-up tokens',
    300,
    'mutation { changeReaderGroupMembers(input: { groupId: "g0", addReaderIds: ["r1"] }) { __typename } }',
  ),
  {
    name: 'paths with dot segments',
    target: 'store',
    token: 'known',
    run: async ({ send }) => {
      const paths = [
        '/./graphql',
        '/x/../graphql',
        '/%2e/graphql',
        '/./v2/Readers',
        '/v2/../graphql',
        '/%2E%2E/graphql',
      ];
      const request = graphql('known', '{ __typename }');
      const answers = [];
      for (const path of paths) answers.push(await send({ ...request, path }));
      return answers;
    },
    complaint: (answers) => {
      const served = answers.filter(({ status }) => status === 200);
      return served.length === 0 ? null : `${served.length} paths with dot segments were served`;
    },
  },
];
