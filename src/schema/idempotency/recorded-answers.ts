import { z } from 'zod';
import type { CompletedBulkUpdate } from '../../domain/articles/bulk-updates.ts';
import { isObject, type JsonObject } from '../../domain/json/json-objects.ts';
import type { CompletedMembersUpdate } from '../../domain/reader-groups/reader-group-members.ts';
import type { CompletedReaderGroupUpdate } from '../../domain/reader-groups/reader-group-updates.ts';
import type { KeyedWrite } from '../../jobs/idempotency-keys.ts';

/** Converts the answer of a write to what is kept for its idempotency key, and back. */
export type AnswerCodec<Value> = Pick<KeyedWrite<Value>, 'encode' | 'decode'>;

/** Members that the shape does not name are not kept. Throws for a record that no version of the gateway has made. */
const codecOf = <Value>(shape: z.ZodType<Value>): AnswerCodec<Value> => ({
  encode: (value) => shape.parse(value),
  decode: (recorded) => shape.parse(recorded),
});

const text = z.string().nullable();

const jsonObject = z.custom<JsonObject>(isObject).nullable();

const notice = z.object({ description: text, code: text, extensionData: jsonObject });

const notices = { warnings: z.array(notice), information: z.array(notice), extensionData: jsonObject };

const serviceError = z.object({
  description: text,
  errorCode: text,
  customData: jsonObject,
  extensionData: jsonObject,
});

const item = { articleId: z.string(), details: text };

const articleOutcome = z.discriminatedUnion('kind', [
  z.object({ ...item, kind: z.literal('updated'), evidence: z.enum(['ANSWER', 'READ_BACK']).optional() }),
  z.object({ ...item, kind: z.literal('failed') }),
  z.object({
    ...item,
    kind: z.literal('unknown'),
    readBack: z.enum(['NOT_TRIED', 'DIFFERS', 'NOT_READABLE']).optional(),
  }),
  z.object({
    ...item,
    kind: z.literal('not-attempted'),
    reason: z.enum([
      'RATE_LIMITED',
      'UNAUTHENTICATED',
      'FORBIDDEN',
      'UNAVAILABLE',
      'REJECTED',
      'OUT_OF_TIME',
      'AFTER_UNKNOWN',
      'CANCELLED',
    ]),
    retryAfterSeconds: z.number().nullable(),
  }),
]);

export const bulkUpdateAnswer: AnswerCodec<CompletedBulkUpdate> = codecOf<CompletedBulkUpdate>(
  z.object({ ...notices, outcomes: z.array(articleOutcome), serviceErrors: z.array(serviceError) }),
);

export const readerGroupAnswer: AnswerCodec<CompletedReaderGroupUpdate> = codecOf<CompletedReaderGroupUpdate>(
  z.object({ ...notices, serviceResult: z.boolean().nullable() }),
);

const ids = z.array(z.string());

const membersChange = z.object({ added: ids, removed: ids, alreadyMembers: ids, notMembers: ids });

export const membersAnswer: AnswerCodec<CompletedMembersUpdate> = codecOf<CompletedMembersUpdate>(
  z.object({ ...notices, readers: membersChange, invitedSsoUsers: membersChange }),
);
