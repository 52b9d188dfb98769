import type { RateLimit } from '../../core/rate-limit.ts';
import { builder } from './builder.ts';
import { authorizeRead } from './context.ts';
import { openRead } from './graphql-errors.ts';

const RateLimitType = builder.objectRef<RateLimit>('RateLimit').implement({
  description:
    'The rate limit of an API token, as the last answer of the service told it. The service permits 60 to 100 calls a minute, by plan.',
  fields: (t) => ({
    limit: t.exposeInt('limit', {
      nullable: true,
      description: 'The number of calls that the service permits in one window of time; null when not known.',
    }),
    remaining: t.exposeInt('remaining', {
      nullable: true,
      description: 'The number of calls that are left in the window; null when not known.',
    }),
    resetAt: t.expose('resetAt', {
      type: 'DateTime',
      nullable: true,
      description: 'The time at which the next window begins; null when not known.',
    }),
  }),
});

builder.queryField('rateLimit', (t) =>
  t.field({
    type: RateLimitType,
    nullable: true,
    description:
      'The rate limit of the API token of the request, read without a call to the service. Null when nothing is known yet, and over the embedded store, which has no rate limit.',
    resolve: async (_root, _args, context) => {
      const { backend, caller } = authorizeRead(context);
      return await openRead(backend.rateLimit(caller));
    },
  }),
);
