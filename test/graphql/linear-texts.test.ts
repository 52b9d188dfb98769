import { GraphQLError } from 'graphql';
import { silentLog } from '../../src/core/base/log.ts';
import { createBoundedErrors } from '../../src/graphql/execution/operation-errors.ts';
import { fromOrderedCursor } from '../../src/graphql/schema/articles/articles.ts';
import { decodeGlobalId } from '../../src/graphql/schema/nodes.ts';
import { jsonSizeOf } from '../../src/graphql/schema/response-budget.ts';
import { createSchema } from '../../src/graphql/schema/schema.ts';
import { describeTextReaders } from '../support/linear-texts.ts';

const dateTime = createSchema().getType('DateTime');

describeTextReaders('graphql', {
  functions: {
    'execution/operation-errors.ts': [
      (text) =>
        createBoundedErrors({ log: silentLog, suggestions: false }).requestErrors(
          [new GraphQLError(`Did you mean ${text}?`, { extensions: { text } })],
          'id',
        ),
    ],
    'schema/articles/articles.ts': [(text) => fromOrderedCursor(text, 'TITLE')],
    'schema/nodes.ts': [decodeGlobalId, (text) => decodeGlobalId(Buffer.from(text).toString('base64url'))],
    'schema/response-budget.ts': [(text) => jsonSizeOf([text], 10, (part) => JSON.stringify(part).length)],
    'schema/builder.ts': [(text) => dateTime && 'parseValue' in dateTime && dateTime.parseValue(text)],
  },
  withoutLongTexts: ['schema/schema.ts'],
});
