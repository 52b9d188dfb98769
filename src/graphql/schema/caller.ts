import { CLIENT_SCOPES, type ClientScope } from '../../core/callers/caller.ts';
import { builder } from './builder.ts';
import { authorizeRead } from './context.ts';
import { openRead } from './graphql-errors.ts';

const CallerType = builder.objectRef<{ readonly scopes: readonly ClientScope[] | null }>('Caller').implement({
  description: 'Who sends the request.',
  fields: (t) => ({
    scopes: t.stringList({
      nullable: true,
      description: `What the caller may do: ${CLIENT_SCOPES.map((scope) => `\`${scope}\``).join(', ')}. Null where only the service knows, as of a caller who sends an API token.`,
      resolve: ({ scopes }) => scopes,
    }),
  }),
});

builder.queryField('caller', (t) =>
  t.field({
    type: CallerType,
    nullable: true,
    description: 'The caller of this request. Makes no call to the service.',
    resolve: (_root, _args, context) => {
      const { client } = authorizeRead(context).caller;
      return { scopes: client?.ok ? CLIENT_SCOPES.filter((scope) => client.value.scopes.has(scope)) : null };
    },
  }),
);

builder.queryField('knowledgeBaseId', (t) =>
  t.id({
    nullable: true,
    description:
      'An opaque text that names the service or the embedded store behind the gateway, the same for all gateways in front of it and for copies of a store. Makes no call to the service.',
    resolve: async (_root, _args, context) => {
      const { backend, caller } = authorizeRead(context);
      return await openRead(backend.knowledgeBaseId(caller));
    },
  }),
);
