import { type ReactNode, useState } from 'react';
import { useMutation } from 'urql';
import { type ArticleChange, type ArticleDraft, isEdited, isSendable, updateOfDraft } from './article-drafts.ts';
import { CategorySelect } from './article-table.tsx';
import { BulkAnswer, type BulkResult } from './bulk-answer.tsx';
import type { Option } from './choices.ts';
import { focusAround } from './fields.tsx';
import { BulkUpdateArticlesDocument, PreviewBulkUpdateArticlesDocument } from './generated/graphql.ts';
import { QueryState } from './query-state.tsx';
import { useMayDiscard, useUnsaved } from './unsaved-changes.tsx';

interface BulkUpdateProps {
  drafts: readonly ArticleDraft[];
  categories: readonly Option<string>[];
  onChange: (drafts: readonly ArticleDraft[]) => void;
  /** Called with the drafts that were updated. */
  onUpdated: (drafts: readonly ArticleDraft[]) => void;
  onReload: () => void;
}

interface Sent {
  drafts: readonly ArticleDraft[];
  preview: boolean;
  result: BulkResult | null;
}

/** Every write is previewed first. Updated articles are deselected afterwards; the others can be sent again. */
export function BulkUpdate({ drafts, categories, onChange, onUpdated, onReload }: BulkUpdateProps) {
  const [updating, update] = useMutation(BulkUpdateArticlesDocument);
  const [previewing, previewUpdate] = useMutation(PreviewBulkUpdateArticlesDocument);
  const [{ result, ...sent }, setSent] = useState<Sent>({ drafts: [], preview: true, result: null });
  const { fetching, error } = sent.preview ? previewing : updating;
  const show = async (toPreview: readonly ArticleDraft[]) => {
    setSent({ drafts: toPreview, preview: true, result: null });
    const { data } = await previewUpdate({ input: { articles: toPreview.map(updateOfDraft) } });
    setSent({ drafts: toPreview, preview: true, result: data?.previewBulkUpdateArticles ?? null });
  };
  const send = async (toSend: readonly ArticleDraft[]) => {
    setSent({ drafts: toSend, preview: false, result: null });
    const { data } = await update({ input: { articles: toSend.map(updateOfDraft) } });
    const answer = data?.bulkUpdateArticles ?? null;
    setSent({ drafts: toSend, preview: false, result: answer });
    if (answer?.__typename !== 'BulkUpdateArticlesPayload') return;
    onUpdated(toSend.filter((_, index) => answer.results[index]?.__typename === 'ArticleUpdated'));
  };
  useUnsaved(drafts.some(isEdited));
  // The result of a write stays visible; a preview disappears when a draft changes.
  const isCurrent = !sent.preview || sent.drafts === drafts;
  return (
    <>
      <SelectionBar drafts={drafts} categories={categories} onChange={onChange}>
        <button
          type="button"
          className="primary"
          disabled={drafts.length === 0 || !drafts.every(isSendable)}
          onClick={() => !fetching && show(drafts)}
        >
          Preview
        </button>
      </SelectionBar>
      <div className="answer">
        <QueryState fetching={fetching} error={error} isWrite={!sent.preview} />
        {result && isCurrent && (
          <BulkAnswer
            result={result}
            titleOf={(index) => titleOf(sent.drafts[index]?.article)}
            onSend={(indexes) => send(indexes.flatMap((index) => sent.drafts[index] ?? []))}
            onRetry={() => (sent.preview ? show(sent.drafts) : send(sent.drafts))}
            onReload={onReload}
          />
        )}
      </div>
    </>
  );
}

interface SelectionBarProps extends Pick<BulkUpdateProps, 'drafts' | 'categories' | 'onChange'> {
  children: ReactNode;
}

const titleOf = (article: ArticleDraft['article'] | undefined): string =>
  article?.title ?? article?.articleId ?? 'Untitled';

/** Changes all selected articles together. */
function SelectionBar({ drafts, categories, onChange, children }: SelectionBarProps) {
  const mayDiscard = useMayDiscard();
  const editAll = (change: ArticleChange) => onChange(drafts.map((draft) => ({ ...draft, ...change })));
  const clear = (pressed: Element) => {
    if (!mayDiscard()) return;
    focusAround(pressed);
    onChange([]);
  };
  return (
    <fieldset className="inline" tabIndex={-1}>
      <legend>{drafts.length} selected</legend>
      {drafts.length > 0 && (
        <>
          <CategorySelect
            label="Move all to"
            placeholder="Move all to…"
            categoryId=""
            categories={categories}
            onChange={(categoryId) => editAll({ categoryId })}
          />
          <button type="button" onClick={() => editAll({ hidden: true })}>
            Hide all
          </button>
          <button type="button" onClick={() => editAll({ hidden: false })}>
            Show all
          </button>
          <button type="button" onClick={({ currentTarget }) => clear(currentTarget)}>
            Clear selection
          </button>
        </>
      )}
      {children}
    </fieldset>
  );
}
