import type { InputIssue } from '../../domain/errors.ts';
import { builder } from '../builder.ts';

export const InputIssueType = builder.objectRef<InputIssue>('InputIssue').implement({
  description: 'One problem of an input, with its place.',
  fields: (t) => ({
    path: t.stringList({
      description:
        'The place in the input, from the argument down. Positions in lists are counted from 0: `["input", "articles", "3", "order"]`.',
      resolve: ({ path, argument = 'input' }) => [argument, ...path],
    }),
    message: t.exposeString('message', { description: 'The problem, as an English text for people.' }),
  }),
});

export const ValidationSource = builder.enumType('ValidationSource', {
  description: 'Who found a problem of an input: the gateway or the service.',
  values: {
    GATEWAY: { description: 'The gateway found the problem before anything was sent or written.' },
    SERVICE: { description: 'The service refused the request with an error that names the place in the input.' },
  } as const,
});
