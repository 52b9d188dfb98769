import { expect, it } from 'vitest';
import { err, ok } from '../../src/base/result.ts';
import type { CreationOutcome } from '../../src/domain/articles/article-creations.ts';
import { outcomeUnknown } from '../../src/domain/errors.ts';
import { NO_NOTICES } from '../../src/domain/notices.ts';
import { creationAnswer } from '../../src/state/codec.ts';

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
