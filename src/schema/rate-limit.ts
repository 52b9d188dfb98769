import type { RateLimit } from '../domain/rate-limit.ts';
import { builder } from './builder.ts';
import { authorizeRead } from './context.ts';
import { unwrapResult } from './errors/graphql-errors.ts';

const RateLimitType = builder.objectRef<RateLimit>('RateLimit').implement({
  description: "What the service last said of the API token's budget (60 to 100 calls a minute, by plan).",
  fields: (t) => ({
    limit: t.exposeInt('limit', { nullable: true, description: 'Calls in a window; null where not known.' }),
    remaining: t.exposeInt('remaining', { nullable: true, description: 'Calls that are left; null where not known.' }),
    resetAt: t.expose('resetAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When the window begins anew; null where not known.',
    }),
  }),
});

builder.queryField('rateLimit', (t) =>
  t.field({
    type: RateLimitType,
    nullable: true,
    description:
      'The budget of the API token, without spending any of it; null where nothing is known, or none is kept.',
    resolve: async (_root, _args, context) => {
      const { backend, caller } = authorizeRead(context);
      return unwrapResult(await backend.rateLimit(caller));
    },
  }),
);
