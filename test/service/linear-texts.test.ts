import { ok } from '../../src/core/base/result.ts';
import { NO_NOTICES } from '../../src/core/notices.ts';
import { splitResult } from '../../src/service/merging/send-batch.ts';
import { paginateArray } from '../../src/service/reads/paging.ts';
import { emailContainsText } from '../../src/service/reads/readers.ts';
import { lenientTime } from '../../src/service/v2/fields.ts';
import { decodeRateLimit } from '../../src/service/v2/rate-limit.ts';
import { caller } from '../store/store.ts';
import { describeTextReaders } from '../support/linear-texts.ts';

const bulkUpdateOf = (articleId: string) => ({
  caller,
  updates: [{ articleId }],
  articleIds: [articleId],
  resolve: () => {},
  reject: () => {},
});

describeTextReaders('service', {
  functions: {
    'merging/send-batch.ts': [
      (text) => {
        const warnings = [{ description: text, code: null, extensionData: { text } }];
        splitResult([bulkUpdateOf(text)], ok({ ...NO_NOTICES, warnings, serviceErrors: [], outcomes: [] }));
      },
    ],
    'reads/paging.ts': [
      (text) => paginateArray([text], (id) => id, { limit: 10, after: Buffer.from(text).toString('base64url') }),
      (text) => paginateArray([text], (id) => id, { limit: 10, after: text }),
    ],
    'reads/readers.ts': [(text) => emailContainsText({ email: text }, 'example')],
    'v2/fields.ts': [lenientTime],
    'v2/rate-limit.ts': [(text) => decodeRateLimit({ 'x-ratelimit-reset': text, 'x-ratelimit-limit': text }, 0)],
  },
  withoutLongTexts: [
    'read-cache/kept-responses.ts',
    'calls/call-pipeline.ts',
    'calls/connection-failures.ts',
    'calls/foreign-answers.ts',
    'calls/service-client.ts',
  ],
});
