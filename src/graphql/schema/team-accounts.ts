import { TeamAccountType } from './articles/articles.ts';
import { builder } from './builder.ts';
import { connectionOf, createConnectionType, pageArgs, toPageRequest } from './connections.ts';
import { authorizeRead } from './context.ts';
import { openRead } from './graphql-errors.ts';

const TeamAccountConnection = createConnectionType('TeamAccount', TeamAccountType, 'team accounts');

builder.queryField('teamAccounts', (t) =>
  t.field({
    type: TeamAccountConnection,
    nullable: true,
    description:
      'The team accounts of the project, whose IDs writes take as `userId`, in the order of the service. Over the service, each 20 cost a call, and there is no total.',
    args: pageArgs,
    resolve: async (_root, args, context) => {
      const { backend, caller } = authorizeRead(context);
      return connectionOf(await openRead(backend.listTeamAccounts(caller, toPageRequest(args))));
    },
  }),
);
