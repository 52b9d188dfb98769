import { type Api, NO_ANSWER } from '../api.ts';
import { type Edit, inputOf, partFrom } from '../articles/edits.ts';
import { SubmitArticleUpdateJobDocument, type SubmitArticleUpdateJobInput } from '../generated/graphql.ts';
import { nameOfEdits } from '../jobs/job-name.ts';

/** The most items of one request. */
const PART_ITEMS = 1_000;

/** What becomes of values from before, and of published versions. The account is named where new drafts are made. */
type Terms = Pick<SubmitArticleUpdateJobInput, 'keepBefore' | 'ifPublished' | 'userId'>;

type Submitted = { readonly jobId: string } | { readonly problem: string };

/** A submission. It is the same one while the same is sent, whatever newer the previews show. */
export interface Attempt {
  /** The edits and the terms. */
  readonly text: string;
  readonly edits: readonly Edit[];
  /** The revisions that the previews showed. Whatever was changed since is not written. */
  readonly revisions: ReadonlyMap<Edit, string | null>;
  readonly terms: Terms;
  readonly key: string;
}

/** Creates a key for one submission. `crypto.randomUUID` exists only over https. */
export const createKey = (): string =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');

/** Submits edits as one job. Submitting them again with the same key has no effect where they have arrived. */
export async function submitJob(
  api: Api,
  { edits, revisions, terms, key: idempotencyKey }: Attempt,
): Promise<Submitted> {
  const name = nameOfEdits(edits);
  let jobId = '';
  for (let startIndex = 0; startIndex < edits.length; ) {
    const articles = partFrom(edits, startIndex, PART_ITEMS).map((edit) => inputOf(edit, revisions.get(edit)));
    const moreToCome = startIndex + articles.length < edits.length;
    const input = { articles, startIndex, moreToCome, name, ...terms };
    startIndex += articles.length;
    const { data, failure } = await api.send(SubmitArticleUpdateJobDocument, { input, idempotencyKey });
    if (!data?.submitArticleUpdateJob) return { problem: failure?.message ?? NO_ANSWER };
    jobId = data.submitArticleUpdateJob.job.id;
  }
  return { jobId };
}
