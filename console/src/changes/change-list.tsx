import { useVirtualizer } from '@tanstack/react-virtual';
import { lazy, useRef } from 'react';
import { valueText } from '../articles/cell-values.ts';
import { type Edit, keyOf } from '../articles/edits.ts';
import type { ChangedField, PreviewFieldsFragment } from '../generated/graphql.ts';
import { LazyPart } from '../lazy-part.tsx';

export const TextDiff = lazy(() =>
  import('./text-diff.tsx').then(({ TextDiff: component }) => ({ default: component })),
);

export interface CheckedEdit {
  readonly edit: Edit;
  readonly preview: PreviewFieldsFragment;
}

/** Total: a new field of the schema does not compile without a name. */
const FIELD_NAMES: Readonly<Record<ChangedField, string>> = {
  TITLE: 'Title',
  DESCRIPTION: 'Description',
  CONTENT: 'Text',
  HTML_CONTENT: 'Text',
  CATEGORY_ID: 'Category',
  HIDDEN: 'Hidden',
  TRANSLATION_STATUS: 'Translation',
  ORDER: 'Order',
  SOURCE: 'Source',
  STATUS: 'Status',
  PUBLIC_VERSION_NUMBER: 'Public version',
};

const ESTIMATED_PIXELS = 64;

interface ChangeListProps {
  items: readonly CheckedEdit[];
  onDrop: (items: readonly CheckedEdit[]) => void;
}

/** Those in sight are rendered. */
export function ChangeList({ items, onDrop }: ChangeListProps) {
  const scroll = useRef<HTMLDivElement>(null);
  const virtualizer = useVirtualizer({
    count: items.length,
    getScrollElement: () => scroll.current,
    estimateSize: () => ESTIMATED_PIXELS,
    getItemKey: (index) => (items[index] ? keyOf(items[index].edit.article) : index),
    overscan: 5,
  });
  return (
    <div className="list" ref={scroll}>
      <ul className="virtual" aria-label="Changes" style={{ height: virtualizer.getTotalSize() }}>
        {virtualizer.getVirtualItems().map(({ key, index, start }) => {
          const item = items[index];
          return (
            item && (
              <li
                key={key}
                data-index={index}
                ref={virtualizer.measureElement}
                aria-setsize={items.length}
                aria-posinset={index + 1}
                style={{ transform: `translateY(${start}px)` }}
              >
                <ChangeItem item={item} onDrop={onDrop} />
              </li>
            )
          );
        })}
      </ul>
    </div>
  );
}

function ChangeItem({ item, onDrop }: { item: CheckedEdit; onDrop: ChangeListProps['onDrop'] }) {
  const { edit, preview } = item;
  const title = edit.article.title ?? edit.article.articleId;
  return (
    <>
      <p className="inline">
        <strong>{title}</strong>
        <button type="button" aria-label={`Leave out ${title}`} onClick={() => onDrop([item])}>
          Leave out
        </button>
      </p>
      {preview.issues.map(({ message }) => (
        <p key={message} className="bad">
          Would fail: {message}
        </p>
      ))}
      {preview.wouldSucceed && preview.changes.length === 0 && <p className="hint">It is so already.</p>}
      {changesOf(preview).map(({ field, from, to }) =>
        field === 'Text' ? (
          <div key={field}>
            {field}:
            <LazyPart>
              <TextDiff from={String(from ?? '')} to={String(to ?? '')} />
            </LazyPart>
          </div>
        ) : (
          <p key={field}>
            {field}: <del>{textOf(from)}</del> <span className="unseen">becomes</span>
            <span aria-hidden="true">→</span> <ins>{textOf(to)}</ins>
          </p>
        ),
      )}
    </>
  );
}

/** Categories are shown by their names. */
const changesOf = ({ changes, movesTo, article }: PreviewFieldsFragment) =>
  changes.map(({ field, from, to }) =>
    field === 'CATEGORY_ID'
      ? { field: FIELD_NAMES[field], from: article?.category?.name ?? from, to: movesTo?.name ?? to }
      : { field: FIELD_NAMES[field] ?? field, from: shownValue(field, from), to: shownValue(field, to) },
  );

function shownValue(field: ChangedField, value: unknown): unknown {
  if (field === 'HIDDEN') return valueText('hidden', value, []);
  return field === 'TRANSLATION_STATUS' ? valueText('translationStatus', value, []) : value;
}

function textOf(value: unknown): string {
  if (value === null || value === '') return 'none';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
