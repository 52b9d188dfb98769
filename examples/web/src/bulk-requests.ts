import { useState } from 'react';
import { useMutation } from 'urql';
import { type ArticleDraft, updateOfDraft } from './article-drafts.ts';
import type { BulkResult } from './bulk-answer.tsx';
import {
  BulkUpdateArticlesDocument,
  PreviewBulkUpdateArticlesDocument,
  SubmitArticleUpdateJobDocument,
} from './generated/graphql.ts';

/** A request of many articles. A job is named by its key, so that there is only one, however often it is sent. */
interface Sent {
  drafts: readonly ArticleDraft[];
  kind: 'preview' | 'update' | 'job';
  result: BulkResult | null;
  idempotencyKey: string;
}

interface BulkRequestsOptions {
  /** Called with the drafts that were updated. */
  onUpdated: (drafts: readonly ArticleDraft[]) => void;
  /** Called with the drafts that a job has taken over. */
  onStarted: (jobId: string, drafts: readonly ArticleDraft[]) => void;
}

/** Sends a preview, an update or a job of drafts, and keeps what was sent last with its result. */
export function useBulkRequests({ onUpdated, onStarted }: BulkRequestsOptions) {
  const [updating, update] = useMutation(BulkUpdateArticlesDocument);
  const [previewing, preview] = useMutation(PreviewBulkUpdateArticlesDocument);
  const [submitting, submit] = useMutation(SubmitArticleUpdateJobDocument);
  const [sent, setSent] = useState<Sent>({ drafts: [], kind: 'preview', result: null, idempotencyKey: '' });
  const begin = (kind: Sent['kind'], drafts: readonly ArticleDraft[], idempotencyKey = '') => {
    const begun: Sent = { drafts, kind, result: null, idempotencyKey };
    setSent(begun);
    return {
      input: { articles: drafts.map(updateOfDraft) },
      end: (result: BulkResult | null) => setSent({ ...begun, result }),
    };
  };
  const show = async (drafts: readonly ArticleDraft[]) => {
    const { input, end } = begin('preview', drafts);
    const { data } = await preview({ input });
    end(data?.previewBulkUpdateArticles ?? null);
  };
  const send = async (drafts: readonly ArticleDraft[]) => {
    const { input, end } = begin('update', drafts);
    const { data } = await update({ input });
    const answer = data?.bulkUpdateArticles ?? null;
    end(answer);
    if (answer?.__typename !== 'BulkUpdateArticlesPayload') return;
    onUpdated(drafts.filter((_, index) => answer.results[index]?.__typename === 'ArticleUpdated'));
  };
  const start = async (drafts: readonly ArticleDraft[], idempotencyKey: string = crypto.randomUUID()) => {
    const { input, end } = begin('job', drafts, idempotencyKey);
    const { data } = await submit({ input, idempotencyKey });
    const answer = data?.submitArticleUpdateJob ?? null;
    if (answer?.__typename !== 'SubmitArticleUpdateJobPayload') return end(answer);
    onStarted(answer.job.id, drafts);
  };
  /** Sends the same items again, with the same key. */
  const repeat = () => {
    if (sent.kind === 'job') return start(sent.drafts, sent.idempotencyKey);
    return sent.kind === 'preview' ? show(sent.drafts) : send(sent.drafts);
  };
  const { fetching, error } = { preview: previewing, update: updating, job: submitting }[sent.kind];
  return { sent, fetching, error, show, send, start, repeat };
}
