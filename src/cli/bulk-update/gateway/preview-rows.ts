import { z } from 'zod';
import { toPrintable } from '../../../base/printable.ts';
import { err, ok, type Result } from '../../../base/result.ts';
import type { CheckedRows } from '../rows/check-rows.ts';
import { halvesOf, PartLimits, partsOf, type RowPart } from '../rows/parts.ts';
import type { RowsOptions } from '../rows/read-rows.ts';
import { type GatewayClient, type GatewayMutation, mutationDataOf, mutationPayload } from './gateway-client.ts';
import { MUTATION_ERROR_FIELDS } from './gateway-failures.ts';
import { type Patience, repeatCall } from './patience.ts';

const itemShape = z.object({
  articleId: z.string(),
  issues: z.array(z.object({ message: z.string() })),
  changes: z.array(z.object({ field: z.string().transform(toPrintable), from: z.unknown(), to: z.unknown() })),
});

export type PreviewedItem = z.infer<typeof itemShape>;

const previewShape = z.object({ results: z.array(itemShape) });

const PREVIEW_PAGE: GatewayMutation<z.infer<typeof previewShape>> = {
  document: `mutation BulkUpdatePreview($input: BulkUpdateArticlesInput!) {
  result: previewBulkUpdateArticles(input: $input) {
    ... on BulkUpdateArticlesPreview { results { articleId issues { message } changes { field from to } } }
    ${MUTATION_ERROR_FIELDS}
  }
}`,
  data: mutationDataOf(previewShape),
};

/** An answer has the old and the new texts, so that pages are smaller than the parts of a job. */
const FIRST_PAGE = { maxRows: 500, maxBytes: 1024 ** 2 };

interface PreviewOptions {
  readonly rows: RowsOptions;
  readonly checked: CheckedRows;
  readonly patience: Patience;
  readonly onItem: (line: number, item: PreviewedItem) => void;
}

/** Previews all rows in pages. Each page is previewed as if the ones before it changed nothing. */
export async function previewRows(
  client: GatewayClient,
  { rows, checked, patience, onItem }: PreviewOptions,
): Promise<Result<void, string>> {
  const limits = new PartLimits(FIRST_PAGE);
  const preview = async (page: RowPart): Promise<string | null> => {
    const variables = `{"input":{"articles":[${page.rows.map(({ json }) => json).join(',')}]}}`;
    const call = async () => mutationPayload(await client.ask(PREVIEW_PAGE, variables));
    const { answer } = await repeatCall(call, patience);
    if (answer.ok) {
      for (const [index, item] of answer.value.results.entries()) onItem(page.rows[index]?.line ?? 0, item);
      return null;
    }
    if (answer.error.kind !== 'too-large' || page.rows.length < 2) return answer.error.message;
    limits.halve(page);
    for (const half of halvesOf(page)) {
      const problem = await preview(half);
      if (problem !== null) return problem;
    }
    return null;
  };
  for await (const page of partsOf(rows, checked, limits)) {
    const problem = page.ok ? await preview(page.value) : page.error;
    if (problem !== null) return err(problem);
  }
  return ok(undefined);
}
