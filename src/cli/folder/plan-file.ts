import { hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { z } from 'zod';
import { toPrintable } from '../../core/base/printable.ts';
import { err, ok, type Result } from '../../core/base/result.ts';
import { createNewFile } from '../knowledge-base/new-file.ts';

const settable = {
  title: z.string().optional(),
  content: z.string().optional(),
  hidden: z.boolean().optional(),
  order: z.int().optional(),
  translationStatus: z.string().optional(),
};

/** The members that a plan sets. A folder stands for its category. */
const changesShape = z.strictObject({ ...settable, folder: z.string().optional(), categoryId: z.string().optional() });

const file = { path: z.string(), language: z.string(), publish: z.boolean() };

const textOfArticle = {
  ...file,
  articleId: z.string().nullable(),
  /** The path whose article this plan creates. */
  of: z.string().nullable(),
  /** What lists showed of the article; null where it had no text in this language. */
  revision: z.string().nullable(),
  /** The gateway's own revision of the text that was compared; null where there is none. */
  ifRevision: z.string().nullable(),
  set: changesShape,
};

const itemShape = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('known-category'), folder: z.string(), categoryId: z.string() }),
  /** A category to be created, after the one above it; `parent` is null at the top. */
  z.strictObject({
    kind: z.literal('category'),
    folder: z.string(),
    name: z.string(),
    parent: z.string().nullable(),
    order: z.int().optional(),
  }),
  /** An article to be created in the default language. */
  z.strictObject({ kind: z.literal('create'), ...file, set: changesShape.required({ title: true, content: true }) }),
  z.strictObject({ kind: z.literal('change'), ...textOfArticle }),
  z.strictObject({ kind: z.literal('translate'), ...textOfArticle }),
  z.strictObject({ kind: z.literal('same'), ...file, articleId: z.string() }),
  z.strictObject({
    kind: z.literal('gone'),
    path: z.string(),
    language: z.string(),
    articleId: z.string(),
    action: z.enum(['hide', 'unpublish']).nullable(),
  }),
]);

export type PlanItem = z.infer<typeof itemShape>;
export type PlanChanges = z.infer<typeof changesShape>;
export type PlanItemOf<Kind extends PlanItem['kind']> = Extract<PlanItem, { readonly kind: Kind }>;

const headerShape = z.strictObject({
  kind: z.literal('plan'),
  format: z.literal(1),
  /** Follows from the items and the target: the same folder and knowledge base give the same plan. */
  planId: z.string(),
  createdAt: z.string(),
  folder: z.string(),
  target: z.strictObject({
    knowledgeBaseId: z.string(),
    projectVersionId: z.string(),
    projectVersionName: z.string(),
    languages: z.array(z.string()),
  }),
  ifPublished: z.enum(['UPDATE', 'FORK', 'SKIP']),
  userId: z.string().nullable(),
});

export type PlanHeader = z.infer<typeof headerShape>;

export interface PlanFile {
  readonly header: PlanHeader;
  readonly items: readonly PlanItem[];
}

const endShape = z.strictObject({ kind: z.literal('end'), items: z.int() });

export const planIdOf = (header: Omit<PlanHeader, 'planId'>, items: readonly PlanItem[]): string =>
  items.reduce((digest, item) => nextDigest(digest, JSON.stringify(item)), firstDigest(header));

const firstDigest = ({ target, ifPublished }: Omit<PlanHeader, 'planId'>): string =>
  hash('sha256', JSON.stringify([target.knowledgeBaseId, target.projectVersionId, ifPublished]));

const nextDigest = (digest: string, line: string): string => hash('sha256', digest + line);

/** Writes a plan to a new file that only its owner may read: a line for each item, and one at the end. */
export async function writePlan(path: string, { header, items }: PlanFile): Promise<Result<void, string>> {
  const created = await createNewFile(path);
  if (!created.ok) return err(`${toPrintable(path)}: ${created.error}`);
  try {
    const written = await created.value.write(linesOf(header, items));
    const published = written.ok ? await created.value.publish() : written;
    return published.ok ? published : err(`${toPrintable(path)}: ${published.error}`);
  } finally {
    created.value.discard();
  }
}

async function* linesOf(header: PlanHeader, items: readonly PlanItem[]): AsyncGenerator<Uint8Array> {
  for (const line of [header, ...items, { kind: 'end', items: items.length }])
    yield Buffer.from(`${JSON.stringify(line)}\n`);
}

/** Reads a whole plan. The error says why it is none. */
export async function readPlan(path: string): Promise<Result<PlanFile, string>> {
  const name = toPrintable(path);
  try {
    const plan = await parsePlan(path);
    return plan.ok ? plan : err(`${name} ${plan.error}`);
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof z.ZodError)
      return err(`${name} is no plan of this version of kb-gateway.`);
    if (!(error instanceof Error && 'code' in error)) throw error;
    return err(`${name} can't be read (${error.code}).`);
  }
}

async function parsePlan(path: string): Promise<Result<PlanFile, string>> {
  const lines = createInterface({ input: createReadStream(path), crlfDelay: Number.POSITIVE_INFINITY });
  let header: PlanHeader | null = null;
  const items: PlanItem[] = [];
  let digest = '';
  let isWhole = false;
  for await (const line of lines) {
    const value: unknown = JSON.parse(line);
    if (header === null) {
      header = headerShape.parse(value);
      digest = firstDigest(header);
    } else if (endShape.safeParse(value).data?.items === items.length) isWhole = true;
    else {
      items.push(itemShape.parse(value));
      digest = nextDigest(digest, line);
      isWhole = false;
    }
  }
  if (header === null || !isWhole) return err('is not a whole plan: it breaks off.');
  return digest === header.planId ? ok({ header, items }) : err('was changed by hand. Plan again.');
}
