import { emailPartProblem, type Reader } from '../../domain/reader-groups/readers.ts';
import { builder } from '../builder.ts';
import { authorizeRead } from '../context.ts';
import { invalidArgumentError, unwrapResult } from '../errors/graphql-errors.ts';
import { createConnectionType, pageArgs, toPageRequest } from '../relay/connections.ts';
import { encodeGlobalId } from '../relay/global-ids.ts';
import { NodeInterface } from '../relay/nodes.ts';

export const ReaderType = builder.objectRef<Reader>('Reader');

ReaderType.implement({
  description: 'Somebody who may read what is not public.',
  interfaces: [NodeInterface],
  fields: (t) => ({
    id: t.id({ description: 'The global ID.', resolve: ({ readerId }) => encodeGlobalId('Reader', [readerId]) }),
    readerId: t.exposeID('readerId', { description: "The service's own ID." }),
    firstName: t.exposeString('firstName', { nullable: true, description: 'The first name.' }),
    lastName: t.exposeString('lastName', { nullable: true, description: 'The last name.' }),
    email: t.exposeString('email', { nullable: true, description: 'The address the reader signs in with.' }),
  }),
});

export const ReaderConnection = createConnectionType('Reader', ReaderType, 'readers');

builder.queryField('readers', (t) =>
  t.field({
    type: ReaderConnection,
    nullable: true,
    description: 'The readers of the project; people who are only invited are not among them.',
    args: {
      emailContains: t.arg.string({ description: 'Only readers whose address contains this, in any case.' }),
      ...pageArgs,
    },
    resolve: async (_root, { emailContains, ...args }, context) => {
      const { backend, caller } = authorizeRead(context);
      const problem = emailPartProblem(emailContains ?? '');
      if (problem !== null) throw invalidArgumentError(['emailContains'], `emailContains ${problem}.`);
      return unwrapResult(await backend.listReaders(caller, emailContains || null, toPageRequest(args)));
    },
  }),
);
