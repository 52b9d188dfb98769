import { z } from 'zod';
import { toPrintable } from '../../base/printable.ts';
import { err, ok, type Result } from '../../base/result.ts';
import { print } from '../terminal.ts';
import { MUTATION_ERROR_FIELDS, operation } from './gateway-client.ts';
import { UPDATE_EXITS } from './options.ts';
import { articlesOf, sendParts, type UpdateRun } from './parts.ts';
import { countTable } from './progress.ts';

const itemShape = z.object({
  articleId: z.string(),
  issues: z.array(z.object({ message: z.string() })),
  changes: z.array(z.object({ field: z.string().transform(toPrintable), from: z.unknown(), to: z.unknown() })),
});

const PREVIEW_PAGE = operation(
  `mutation BulkUpdatePreview($input: BulkUpdateArticlesInput!) {
  result: previewBulkUpdateArticles(input: $input) {
    ... on BulkUpdateArticlesPreview { results { articleId issues { message } changes { field from to } } }
    ${MUTATION_ERROR_FIELDS}
  }
}`,
  z.object({ result: z.object({ results: z.array(itemShape) }) }),
);

/** An answer has the old and the new texts, so that pages are smaller than the parts of a job. */
const FIRST_PAGE = { maxRows: 500, maxBytes: 1024 ** 2 };

/**
 * Prints the rows that would change something or fail, and the numbers of rows. Each page is previewed as if the ones
 * before it changed nothing.
 */
export async function previewRows({ client, input }: UpdateRun): Promise<Result<number, string>> {
  const counts = { 'would change': 0, unchanged: 0, 'would fail': 0 };
  const previewed = await sendParts(input.rows, FIRST_PAGE, async (page) => {
    const { answer } = await client.repeat(PREVIEW_PAGE, `{"input":{"articles":${articlesOf(page)}}}`);
    if (!answer.ok) return answer;
    for (const [index, item] of answer.value.result.results.entries()) {
      const { end, text } = describe(item);
      counts[end] += 1;
      if (text !== '') print(`${page.rows[index]?.place ?? 'a row'}, ${toPrintable(item.articleId)}: ${text}\n`);
    }
    return ok(true);
  });
  if (!previewed.ok) return err(previewed.error.reason.message);
  print(`${countTable(counts)}Nothing was written.\n`);
  return ok(UPDATE_EXITS.done);
}

function describe({ issues, changes }: z.infer<typeof itemShape>) {
  if (issues.length > 0) {
    const messages = issues.map(({ message }) => toPrintable(message)).join(' ');
    return { end: 'would fail', text: `would fail: ${messages}` } as const;
  }
  if (changes.length === 0) return { end: 'unchanged', text: '' } as const;
  const text = changes.map(({ field, from, to }) => `${field} ${shown(from)} -> ${shown(to)}`).join('; ');
  return { end: 'would change', text } as const;
}

/** Characters of a value that are shown. */
const MAX_SHOWN_CHARS = 60;

function shown(value: unknown): string {
  const text = JSON.stringify(value ?? null);
  return toPrintable(text.length > MAX_SHOWN_CHARS ? `${text.slice(0, MAX_SHOWN_CHARS)}…` : text);
}
