import { decodeCacheControl } from '../../src/server/http/requests/request-facts.ts';
import { describeTextReaders } from '../support/linear-texts.ts';

describeTextReaders('server', {
  functions: {
    'http/requests/request-facts.ts': [decodeCacheControl, (text) => decodeCacheControl(`max-age=${text}`)],
  },
  withoutLongTexts: [
    'auth/client-auth.ts',
    'http/requests/guards.ts',
    'process/access.ts',
    'http/handlers/facade.ts',
    'http/route.ts',
  ],
});
