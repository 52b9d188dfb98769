import { emailPartProblem, type InvitedSsoUser, type Reader } from '../../../core/reader-groups/reader-groups.ts';
import { builder, globalId, NodeInterface } from '../builder.ts';
import { connectionOf, createConnectionType, pageArgs, toPageRequest } from '../connections.ts';
import { authorizeRead, type Context, loadAll } from '../context.ts';
import { invalidArgumentError, openRead } from '../graphql-errors.ts';

export const ReaderType = builder.objectRef<Reader>('Reader').implement({
  description: 'A person with an account for reading what is not public in the knowledge base.',
  interfaces: [NodeInterface],
  fields: (t) => ({
    id: globalId(t),
    readerId: t.exposeID('readerId', { description: "The service's own ID of the reader, as `readerIds` has it." }),
    firstName: t.exposeString('firstName', {
      nullable: true,
      description: 'The first name of the reader; null where the service has none.',
    }),
    lastName: t.exposeString('lastName', {
      nullable: true,
      description: 'The last name of the reader; null where the service has none.',
    }),
    email: t.exposeString('email', {
      nullable: true,
      description: 'The email address that the reader signs in with; null where the service shows none.',
    }),
    groupIds: t.idList({
      description:
        "The service's IDs of all reader groups that the reader is in, in the order in which the service shows them. No call of their own is made for them; over the service they are those that its list of readers shows.",
      resolve: (reader, _args, { loaders }) => reader.groupIds ?? loaders.groupIdsOfReaders.load(reader),
    }),
  }),
});

export const ReaderConnection = createConnectionType('Reader', ReaderType, 'readers');

const emailArgs = builder.args((t) => ({
  emailContains: t.string({
    description:
      'Only people whose email address contains this text, in upper or lower case. At most 320 characters; everybody where it is empty or left out.',
  }),
}));

/** Returns the text to search for; null for all people. Throws when the text cannot be searched for. */
function toEmailPart(emailContains: string | null | undefined): string | null {
  const problem = emailPartProblem(emailContains ?? '');
  if (problem !== null) throw invalidArgumentError(['emailContains'], `emailContains ${problem}.`);
  return emailContains || null;
}

builder.queryField('readers', (t) =>
  t.field({
    type: ReaderConnection,
    nullable: true,
    description:
      "The readers of the project, in the service's own order, which is stable. People who are invited and have not signed in yet are not among them: `invitedSsoUsers` lists those.",
    args: { ...emailArgs, ...pageArgs },
    resolve: async (_root, { emailContains, ...args }, context) => {
      const { backend, caller } = authorizeRead(context);
      const emailPart = toEmailPart(emailContains);
      return connectionOf(await openRead(backend.listReaders(caller, emailPart, toPageRequest(args))));
    },
  }),
);

export const InvitedSsoUserType = builder.objectRef<InvitedSsoUser>('InvitedSsoUser').implement({
  description:
    'A person who was invited through single sign-on (SSO) and has not signed in yet. Whoever signs in becomes a reader with another ID.',
  interfaces: [NodeInterface],
  fields: (t) => ({
    id: globalId(t),
    invitationId: t.exposeID('invitationId', {
      description: "The service's ID of the invitation, as `invitedSsoUserIds` has it.",
    }),
    email: t.exposeString('email', {
      nullable: true,
      description: 'The email address that was invited; null where the service shows none.',
    }),
  }),
});

/** Loads the invited users in the order of their IDs, with null in the place of those that no longer exist. */
export const loadInvitedSsoUsers = (
  context: Context,
  invitationIds: readonly string[],
): Promise<readonly (InvitedSsoUser | null)[]> =>
  loadAll(context, invitationIds, (id) => context.loaders.invitedSsoUsers.load(id));

const InvitedSsoUserConnection = createConnectionType('InvitedSsoUser', InvitedSsoUserType, 'invited users');

builder.queryField('invitedSsoUsers', (t) =>
  t.field({
    type: InvitedSsoUserConnection,
    nullable: true,
    description:
      'The people who were invited through single sign-on and have not signed in yet, in a group or not, by invitation ID. Over the service a page reads the list of all readers, of which each 5,000 cost a call.',
    args: { ...emailArgs, ...pageArgs },
    resolve: async (_root, { emailContains, ...args }, context) => {
      const { backend, caller } = authorizeRead(context);
      const emailPart = toEmailPart(emailContains);
      return connectionOf(await openRead(backend.listInvitedSsoUsers(caller, emailPart, toPageRequest(args))));
    },
  }),
);
