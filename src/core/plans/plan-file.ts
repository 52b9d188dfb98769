import { z } from 'zod';
import { jsonIn } from '../base/json.ts';
import { err, ok, type Result } from '../base/result.ts';

const settable = {
  title: z.string().optional(),
  content: z.string().optional(),
  hidden: z.boolean().optional(),
  order: z.int().optional(),
  translationStatus: z.string().optional(),
};

/** The members that a plan sets. A folder means its category. */
const changesShape = z.strictObject({ ...settable, folder: z.string().optional(), categoryId: z.string().optional() });

const file = { path: z.string(), language: z.string(), publish: z.boolean() };

const textOfArticle = {
  ...file,
  articleId: z.string().nullable(),
  /** The path whose article this plan creates. */
  of: z.string().nullable(),
  /** The fields of the article in lists when it was planned, as one text; null where it had no text in this language. */
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
  z.strictObject({
    kind: z.literal('same'),
    ...file,
    articleId: z.string(),
    /** That of the text that is to be published; absent where the plan has none. */
    ifRevision: z.string().optional(),
  }),
  z.strictObject({
    kind: z.literal('gone'),
    path: z.string(),
    language: z.string(),
    articleId: z.string(),
    action: z.enum(['hide', 'unpublish']).nullable(),
  }),
  /** A file that is not taken, which `apply` only shows. */
  z.strictObject({ kind: z.literal('left-out'), path: z.string(), reason: z.string(), isProblem: z.boolean() }),
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

/** The SHA-256 of a text in UTF-8, in hexadecimal digits. */
export type Sha256 = (text: string) => string;

const endShape = z.strictObject({ kind: z.literal('end'), items: z.int() });

export const planIdOf = (header: Omit<PlanHeader, 'planId'>, items: readonly PlanItem[], sha256: Sha256): string =>
  items.reduce((digest, item) => sha256(digest + JSON.stringify(item)), firstDigest(header, sha256));

const firstDigest = ({ target, ifPublished }: Omit<PlanHeader, 'planId'>, sha256: Sha256): string =>
  sha256(JSON.stringify([target.knowledgeBaseId, target.projectVersionId, ifPublished]));

/** The lines of a plan: one for each item, and one at the end. */
export function* planLines({ header, items }: PlanFile): Generator<string> {
  for (const line of [header, ...items, { kind: 'end', items: items.length }]) yield `${JSON.stringify(line)}\n`;
}

/** Reads a whole plan from the parts of its text. The error says why it is none, as the end of a sentence. */
export async function readPlan(parts: AsyncIterable<string>, sha256: Sha256): Promise<Result<PlanFile, string>> {
  const reader = new PlanReader(sha256);
  for await (const line of linesOf(parts)) {
    const problem = reader.add(line);
    if (problem !== null) return err(problem);
  }
  return reader.end();
}

class PlanReader {
  readonly #sha256: Sha256;
  readonly #items: PlanItem[] = [];
  #header: PlanHeader | null = null;
  #digest = '';
  #isWhole = false;

  constructor(sha256: Sha256) {
    this.#sha256 = sha256;
  }

  /** Returns the problem of the line; null where it has none. */
  add(line: string): string | null {
    const value = jsonIn(line);
    if (this.#header === null) return this.#begin(value);
    if (value === undefined) return BREAKS_OFF;
    this.#isWhole = endShape.safeParse(value).data?.items === this.#items.length;
    if (this.#isWhole) return null;
    const item = itemShape.safeParse(value);
    if (!item.success) return OTHER_VERSION;
    this.#items.push(item.data);
    this.#digest = this.#sha256(this.#digest + line);
    return null;
  }

  #begin(value: unknown): string | null {
    const header = headerShape.safeParse(value);
    if (!header.success) return anyPlanShape.safeParse(value).success ? OTHER_VERSION : NO_PLAN;
    this.#header = header.data;
    this.#digest = firstDigest(header.data, this.#sha256);
    return null;
  }

  end(): Result<PlanFile, string> {
    if (this.#header === null) return err(NO_PLAN);
    if (!this.#isWhole) return err(BREAKS_OFF);
    if (this.#digest !== this.#header.planId) return err('was changed by hand. Plan again.');
    return ok({ header: this.#header, items: this.#items });
  }
}

const NO_PLAN = 'is no plan: `kb-gateway plan FOLDER --out FILE` makes one.';
const OTHER_VERSION = 'is no plan of this version of kb-gateway. Plan again.';
const BREAKS_OFF = 'is not a whole plan: it breaks off. Plan again.';

const anyPlanShape = z.object({ kind: z.literal('plan') });

/** The lines of a text that are not empty. Only line feeds end them: JSON may hold other ends of lines. */
async function* linesOf(parts: AsyncIterable<string>): AsyncGenerator<string> {
  let open: string[] = [];
  for await (const part of parts) {
    const [first = '', ...others] = part.split('\n');
    open.push(first);
    const last = others.pop();
    if (last === undefined) continue;
    yield* [open.join(''), ...others].filter((line) => line !== '');
    open = [last];
  }
  if (open.join('') !== '') yield open.join('');
}
