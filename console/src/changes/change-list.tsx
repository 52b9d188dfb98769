import type { ReactNode } from 'react';
import { STATUSES, valueText } from '../articles/cell-values.ts';
import { type Edit, keyOf } from '../articles/edits.ts';
import type { ChangedField, PreviewFieldsFragment } from '../generated/graphql.ts';
import { lazyPart } from '../lazy-part.tsx';
import { Button, Problem, VirtualList } from '../parts.tsx';
import { isOfPublished } from './preview.ts';

export const TextDiff = lazyPart(async () => (await import('./text-diff.tsx')).TextDiff);

export interface CheckedEdit {
  readonly edit: Edit;
  readonly preview: PreviewFieldsFragment;
}

/** The record is total: a new field of the schema does not compile without a name. */
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

interface ChangeListProps {
  checked: readonly CheckedEdit[];
  /** The number of changes, of which some may not be checked yet. */
  total: number;
  /** The reason why the rest could not be checked; null where there is none. */
  problem: string | null;
  /** A text that is shown instead of the progress. */
  hint?: string | false;
  onAgain?: () => void;
  onDrop: (items: readonly CheckedEdit[]) => void;
  /** What is shown between the counts and the list. */
  children?: ReactNode;
}

/** The effect of each change, the failing ones first. Each can be removed, and all failing ones at once. */
export function ChangeList({ checked, total, problem, hint, onAgain, onDrop, children }: ChangeListProps) {
  const failing = checked.filter(({ preview }) => !preview.wouldSucceed);
  const idle = checked.filter(({ preview }) => preview.wouldSucceed && preview.changes.length === 0);
  const rest = checked.filter(({ preview }) => preview.wouldSucceed && preview.changes.length > 0);
  const status =
    checked.length === total
      ? `Checked: ${rest.length} can be sent, ${failing.length} would fail, ${idle.length} would change nothing.`
      : problem === null && `Checking… ${checked.length} of ${total}`;
  const leaveOut = (items: readonly CheckedEdit[], what: string): ReactNode =>
    items.length > 0 && (
      <Button onClick={() => onDrop(items)}>
        Leave out the {items.length} that would {what}
      </Button>
    );
  return (
    <>
      <p className="bar" role="status">
        {hint || status}
      </p>
      <Problem text={problem} {...(onAgain && { onAgain })} again="Check again" />
      {children}
      <VirtualList label="Changes" items={[...failing, ...idle, ...rest]} keyOf={({ edit }) => keyOf(edit.article)}>
        {(item) => <ChangeItem item={item} onDrop={onDrop} />}
      </VirtualList>
      <p className="bar">
        {leaveOut(failing, 'fail')}
        {leaveOut(idle, 'change nothing')}
      </p>
    </>
  );
}

function ChangeItem({ item, onDrop }: { item: CheckedEdit; onDrop: ChangeListProps['onDrop'] }) {
  const { edit, preview } = item;
  const title = edit.article.title ?? edit.article.articleId;
  return (
    <>
      <p className="inline">
        <strong>{title}</strong>
        {isOfPublished(edit, preview) && <span className="doubt">Published</span>}
        <Button aria-label={`Leave out ${title}`} onClick={() => onDrop([item])}>
          Leave out
        </Button>
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
            <TextDiff from={String(from ?? '')} to={String(to ?? '')} />
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
  if (field === 'STATUS') return Object.entries(STATUSES).find(([status]) => status === value)?.[1] ?? value;
  if (field === 'HIDDEN') return valueText('hidden', value, []);
  return field === 'TRANSLATION_STATUS' ? valueText('translationStatus', value, []) : value;
}

function textOf(value: unknown): string {
  if (value === null || value === '') return 'none';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
