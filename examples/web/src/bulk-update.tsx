import type { ReactNode } from 'react';
import { type ArticleChange, type ArticleDraft, isEdited, isSendable, titleOf } from './article-drafts.ts';
import { CategorySelect } from './article-table.tsx';
import { BulkAnswer } from './bulk-answer.tsx';
import { useBulkRequests } from './bulk-requests.ts';
import type { Option } from './choices.ts';
import { focusAround } from './fields.tsx';
import { QueryState } from './query-state.tsx';
import { useMayDiscard, useUnsaved } from './unsaved-changes.tsx';

interface BulkUpdateProps {
  drafts: readonly ArticleDraft[];
  categories: readonly Option<string>[];
  onChange: (drafts: readonly ArticleDraft[]) => void;
  /** Called with the drafts that were updated. */
  onUpdated: (drafts: readonly ArticleDraft[]) => void;
  /** Called with the drafts that a job has taken over. */
  onStarted: (jobId: string, drafts: readonly ArticleDraft[]) => void;
  onReload: () => void;
}

const KINDS = { preview: 'read', update: 'write', job: 'write with a key' } as const;

/** Every write is previewed first. Updated articles are deselected afterwards; the others can be sent again. */
export function BulkUpdate({ drafts, categories, onChange, onUpdated, onStarted, onReload }: BulkUpdateProps) {
  const { sent, fetching, error, show, send, start, repeat } = useBulkRequests({ onUpdated, onStarted });
  useUnsaved(drafts.some(isEdited));
  // The result of a write stays visible; a preview disappears when a draft changes.
  const isCurrent = sent.kind !== 'preview' || sent.drafts === drafts;
  const chosen = (indexes: readonly number[]) => indexes.flatMap((index) => sent.drafts[index] ?? []);
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
        <QueryState
          fetching={fetching}
          error={error}
          kind={KINDS[sent.kind]}
          {...(sent.kind === 'job' && { onRetry: repeat })}
        />
        {sent.result && isCurrent && (
          <BulkAnswer
            result={sent.result}
            titleOf={(index) => titleOf(sent.drafts[index]?.article)}
            onSend={(indexes) => send(chosen(indexes))}
            onStart={(indexes) => start(indexes ? chosen(indexes) : sent.drafts)}
            onRetry={repeat}
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
