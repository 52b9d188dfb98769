import { createSender } from '../measure/request.ts';
import { type Attack, graphql, times } from './attack.ts';

/* What many share, and strangers may fill. The bystander's token, which the service knows, is to be served all the while. */

const STRANGERS = 1_000;

export const STRANGERS_TOKENS: readonly Attack[] = [
  {
    name: '1,000 made-up tokens that ask for what takes long',
    target: 'service',
    token: 'made up',
    isCrowd: true,
    run: async ({ origin, signal }) => {
      const ask = async (_: unknown, index: number) => {
        const sender = createSender(origin);
        const request = graphql(
          'made up',
          `{ ${times(5, (n) => `a${n}: readers(emailContains: "hang") { totalCount }`)} }`,
        );
        const answer = await sender.send(
          { ...request, headers: { ...request.headers, api_token: `made-up-${index}` } },
          signal,
        );
        sender.close();
        return answer;
      };
      return Promise.all(Array.from({ length: STRANGERS }, ask));
    },
  },
  {
    name: '300 members changes of one group by made-up tokens',
    target: 'service',
    token: 'made up',
    isCrowd: true,
    run: async ({ origin, signal }) => {
      const change =
        'mutation { changeReaderGroupMembers(input: { groupId: "g0", addReaderIds: ["r1"] }) { __typename } }';
      const ask = async (_: unknown, index: number) => {
        const sender = createSender(origin);
        const request = graphql('made up', change);
        const answer = await sender.send(
          { ...request, headers: { ...request.headers, api_token: `made-up-${index}` } },
          signal,
        );
        sender.close();
        return answer;
      };
      return Promise.all(Array.from({ length: 300 }, ask));
    },
  },
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
