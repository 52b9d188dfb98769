import { expect, it } from 'vitest';
import type { CreationOutcome } from '../../../src/core/articles/article-creations.ts';
import { err, ok } from '../../../src/core/base/result.ts';
import { outcomeUnknown } from '../../../src/core/errors.ts';
import { NO_NOTICES } from '../../../src/core/notices.ts';
import { creationAnswer } from '../../../src/core/writes/codec.ts';

const OUTCOMES: readonly CreationOutcome[] = [
  { kind: 'created', details: null, articleId: 'a1' },
  { kind: 'created', details: 'Done.', articleId: 'a2', evidence: 'READ_BACK' },
  { kind: 'failed', details: 'No.' },
  { kind: 'unknown', details: 'Cut.', candidates: [] },
  { kind: 'unknown', details: null, candidates: [{ articleId: 'a3', languageCode: 'en' }] },
  { kind: 'unknown', details: null, candidates: [], attemptId: 'one' },
  { kind: 'not-attempted', details: null, reason: 'RATE_LIMITED', retryAfterSeconds: 3 },
];

const completed = { ...NO_NOTICES, serviceErrors: [], outcomes: OUTCOMES };

it('the answer of a create is kept with its IDs and outcomes', () => {
  for (const result of [ok(completed), err(outcomeUnknown('the process ended.'))])
    expect(creationAnswer.decode(creationAnswer.encode(result))).toEqual(ok(result));
});

it('nothing else of the articles is kept', () => {
  const outcomes = OUTCOMES.map((outcome) => ({ ...outcome, title: 'Secret title', content: 'Secret text' }));
  expect(creationAnswer.encode(ok({ ...completed, outcomes }))).toBe(creationAnswer.encode(ok(completed)));
});
