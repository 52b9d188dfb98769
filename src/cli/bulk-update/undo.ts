import { createHash } from 'node:crypto';
import { z } from 'zod';
import { toPrintable } from '../../core/base/printable.ts';
import { err, ok, type Result } from '../../core/base/result.ts';
import { print } from '../../server/process/terminal.ts';
import { EXIT_CODES } from '../command-options.ts';
import { countPublication, describeOutcome } from './failed-rows.ts';
import { type GatewayClient, MUTATION_ERROR_FIELDS, operation } from './gateway-client.ts';
import { JOB_FIELDS, jobShape, readOutcomes, type ShownJob } from './job.ts';
import type { UndoOptions } from './options.ts';
import { shown } from './preview.ts';
import { countTable, type JobProgress } from './progress.ts';
import { watchJob } from './update-from-file.ts';

const count = z.int();

/** A member, which is named as the columns of a file are. */
const memberName = z
  .string()
  .transform((name) => name.toLowerCase().replace(/_(.)/gu, (_, letter: string) => letter.toUpperCase()));

const itemShape = z.object({
  articleId: z.string(),
  members: z.array(z.object({ name: memberName, before: z.unknown(), asLeft: z.unknown(), now: z.unknown() })),
  notRestored: z.array(memberName),
  details: z.string().nullable(),
});

/** A page has so few items that it takes no more calls of the service than one request may (`MAX_UPSTREAM_CALLS`). */
const PREVIEW_REVERT = operation(
  `mutation BulkUpdateUndoPreview($id: ID!, $after: String) {
  result: previewRevertArticleUpdateJob(id: $id) {
    ... on RevertArticleUpdateJobPreview {
      summary { total restorable notRestorable }
      items(first: 50, after: $after) {
        nodes { articleId members { name before asLeft now } notRestored details } pageInfo { hasNextPage endCursor }
      }
    }
    ${MUTATION_ERROR_FIELDS}
  }
}`,
  z.object({
    result: z.object({
      summary: z.object({ total: count, restorable: count, notRestorable: count }),
      items: z.object({
        nodes: z.array(itemShape),
        pageInfo: z.object({ hasNextPage: z.boolean(), endCursor: z.string().nullable() }),
      }),
    }),
  }),
);

const REVERT = operation(
  `mutation BulkUpdateUndo($id: ID!, $key: String!, $publish: Boolean!, $userId: ID, $ifPublished: IfPublished!) {
  result: revertArticleUpdateJob(id: $id, idempotencyKey: $key, publish: $publish, userId: $userId, ifPublished: $ifPublished) {
    ... on RevertArticleUpdateJobPayload { job { ${JOB_FIELDS} } warnings { description } }
    ${MUTATION_ERROR_FIELDS}
  }
}`,
  z.object({
    result: z.object({ job: jobShape, warnings: z.array(z.object({ description: z.string().nullable() })) }),
  }),
);

/** The most outcomes that are printed. */
const MAX_PRINTED = 10;

/** Puts back what a job has changed, and reports what was not put back. */
export async function undoJob(
  client: GatewayClient,
  { jobId: id, key, userId, publish, ifPublished }: UndoOptions,
  progress: JobProgress,
): Promise<Result<number, string>> {
  // The name of the revert, so that the same command goes on with it.
  const options = publish && ifPublished === null ? [] : [publish, ifPublished];
  const name = userId === null && ifPublished === null ? id : JSON.stringify([id, userId, ...options]);
  const idempotencyKey = key ?? `undo-${createHash('sha256').update(name).digest('hex')}`;
  const variables = { id, key: idempotencyKey, publish, userId, ifPublished: ifPublished ?? 'FORK' };
  const { answer } = await client.repeat(REVERT, JSON.stringify(variables));
  if (!answer.ok) return err(answer.error.message);
  for (const { description } of answer.value.result.warnings)
    progress.note(`Warning: ${toPrintable(description ?? '')}`);
  progress.note(`The job that puts back is ${answer.value.result.job.id}.`);
  const ended = await watchJob(client, answer.value.result.job, progress);
  progress.stop();
  if (!ended.ok) return ended;
  return ok(await report(client, ended.value, publish));
}

/** Prints how the job has ended, with the first items that were not put back or not published. */
async function report(client: GatewayClient, { id, summary }: ShownJob, publish: boolean): Promise<number> {
  const { total, updated, failed, unknown, notAttempted } = summary;
  print(countTable({ texts: total, 'put back': updated, failed, unknown, 'left as is': notAttempted }));
  const publications: Record<string, number> = {};
  const listed: string[] = [];
  let count = 0;
  for await (const outcome of readOutcomes(client, id, publish)) {
    countPublication(publications, outcome);
    if (outcome.publication === 'PUBLISHED') continue;
    count += 1;
    if (count <= MAX_PRINTED) listed.push(`${describeOutcome(outcome)}\n`);
  }
  print(`${countTable(publications)}${listed.join('')}`);
  if (count > MAX_PRINTED) print(`and ${count - MAX_PRINTED} more; the results of the job have all.\n`);
  return count === 0 ? EXIT_CODES.done : EXIT_CODES.partly;
}

/** Prints what would be put back, with the present value where it is not the one that the job set. */
export async function previewUndo(client: GatewayClient, { jobId: id }: UndoOptions): Promise<Result<number, string>> {
  for (let after: string | null = null; ; ) {
    const variables: string = JSON.stringify({ id, after });
    const { answer } = await client.repeat(PREVIEW_REVERT, variables);
    if (!answer.ok) return err(answer.error.message);
    const { summary, items } = answer.value.result;
    for (const item of items.nodes) print(`${describe(item)}\n`);
    after = items.pageInfo.endCursor;
    if (items.pageInfo.hasNextPage) continue;
    const { total, restorable, notRestorable } = summary;
    print(`${countTable({ items: total, restorable, 'not restorable': notRestorable })}Nothing was written.\n`);
    return ok(notRestorable > 0 ? EXIT_CODES.partly : EXIT_CODES.done);
  }
}

function describe({ articleId, members, notRestored, details }: z.infer<typeof itemShape>): string {
  const changes = members.map(({ name, before, asLeft, now }) => {
    // The service may show what was sent in another form.
    const isExpected = details === null || JSON.stringify(now ?? null) === JSON.stringify(asLeft ?? null);
    const left = notRestored.includes(name) ? ' (cannot be put back)' : '';
    return `${name} ${shown(asLeft)} -> ${shown(before)}${left}${isExpected ? '' : ` (changed since: ${shown(now)})`}`;
  });
  return toPrintable(`${articleId}: ${changes.join(', ') || 'the values from before could not be read'}`);
}
