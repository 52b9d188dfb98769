import { type ReactNode, useMemo } from 'react';
import { STATUSES, valueText } from '../articles/cell-values.ts';
import { type ArticleChange, type Edit, isMember, keyOf, memberOf, storedValueOf } from '../articles/edits.ts';
import type { ArticleFieldsFragment, ChangedField, PreviewFieldsFragment } from '../generated/graphql.ts';
import { Button, lazyPart, Problem, VirtualList } from '../parts.tsx';
import { useShared } from '../shared.ts';
import { fragmentOf } from '../view.ts';
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
  /** Changes one edit, so that places of it are left out. */
  onChange?: (article: ArticleFieldsFragment, change: ArticleChange) => void;
  /** What is shown between the counts and the list. */
  children?: ReactNode;
}

/** Changes of one kind. */
interface Group {
  readonly name: string;
  readonly items: readonly CheckedEdit[];
  /** What those do that need not be sent. */
  readonly would?: string;
}

/** The failing ones, then those that change the same fields, the most first, then those that change nothing. */
function groupsOf(checked: readonly CheckedEdit[]) {
  const failing = checked.filter(({ preview }) => !preview.wouldSucceed);
  const idle = checked.filter(({ preview }) => preview.wouldSucceed && preview.changes.length === 0);
  const rest = checked.filter(({ preview }) => preview.wouldSucceed && preview.changes.length > 0);
  const kinds = Map.groupBy(rest, ({ preview }) =>
    [...new Set(changesOf(preview).map(({ field }) => field))].join(', '),
  );
  const groups: readonly Group[] = [
    { name: 'Would fail', items: failing, would: 'fail' },
    ...[...kinds]
      .map(([name, items]) => ({ name, items }))
      .toSorted((one, other) => other.items.length - one.items.length),
    { name: 'Would change nothing', items: idle, would: 'change nothing' },
  ];
  return { failing, idle, rest, groups: groups.filter(({ items }) => items.length > 0) };
}

/** The counts, and below them each change with its effect, by kind. Each can be left out, and all of a kind at once. */
export function ChangeList({ checked, total, problem, hint, onAgain, onDrop, onChange, children }: ChangeListProps) {
  const { failing, idle, rest, groups } = useMemo(() => groupsOf(checked), [checked]);
  const rows = groups.flatMap((group): readonly (Group | CheckedEdit)[] => [group, ...group.items]);
  return (
    <>
      <p className="bar" role="status">
        {hint || (checked.length < total && problem === null && `Checking… ${checked.length} of ${total}`)}
        {!hint && checked.length === total && (
          <span>
            Checked: <span className="good">{rest.length} can be sent</span>,{' '}
            <span className={failing.length > 0 ? 'bad' : 'hint'}>{failing.length} would fail</span>,{' '}
            <span className="hint">{idle.length} would change nothing.</span>
          </span>
        )}
      </p>
      <Problem text={problem} {...(onAgain && { onAgain })} again="Check again" />
      {children}
      <VirtualList label="Changes" items={rows} keyOf={(row) => ('edit' in row ? keyOf(row.edit.article) : row.name)}>
        {(row) =>
          'edit' in row ? (
            <ChangeItem item={row} onDrop={onDrop} onChange={onChange} />
          ) : (
            <GroupHead group={row} onDrop={onDrop} />
          )
        }
      </VirtualList>
    </>
  );
}

function GroupHead({ group: { name, items, would }, onDrop }: Pick<ChangeListProps, 'onDrop'> & { group: Group }) {
  return (
    <div className="inline apart">
      <h3>
        {name} <span className="hint">{items.length}</span>
      </h3>
      <Button onClick={() => onDrop(items)}>
        Leave out the {items.length} {would === undefined ? `of ${name}` : `that would ${would}`}
      </Button>
    </div>
  );
}

interface ChangeItemProps extends Pick<ChangeListProps, 'onDrop'> {
  item: CheckedEdit;
  onChange: ChangeListProps['onChange'];
}

function ChangeItem({ item, onDrop, onChange }: ChangeItemProps) {
  const { edit, preview } = item;
  const { view } = useShared();
  const { article } = edit;
  const title = article.title ?? article.articleId;
  const changes = changesOf(preview);
  const leaveOut = (field: string, change: ArticleChange) =>
    onChange &&
    changes.length > 1 && (
      <Button aria-label={`Leave out ${field} of ${title}`} onClick={() => onChange(article, change)}>
        Leave out
      </Button>
    );
  return (
    <>
      <div className="inline apart">
        <strong>
          <a href={`#${fragmentOf({ ...view, ...pageOf(article) })}`}>{title}</a>
        </strong>
        {isOfPublished(edit, preview) && <span className="doubt">Published</span>}
        <Button aria-label={`Leave out ${title}`} onClick={() => onDrop([item])}>
          Leave out
        </Button>
      </div>
      {preview.issues.map(({ message }) => (
        <p key={message} className="bad">
          Would fail: {message}
        </p>
      ))}
      {preview.wouldSucceed && changes.length === 0 && <p className="hint">It is so already.</p>}
      {changes.map(({ member, field, from, to }) =>
        field === 'Text' ? (
          <div key={field}>
            <p className="inline apart">
              <span>{field}</span> {leaveOut(field, { content: undefined })}
            </p>
            <TextDiff
              from={String(from ?? '')}
              to={String(to ?? '')}
              onChange={
                onChange && ((content) => onChange(article, { content: content === from ? undefined : content }))
              }
            />
          </div>
        ) : (
          <p key={field} className="inline apart">
            <span>
              {field}: <del>{textOf(from)}</del> <span className="unseen">becomes</span>
              <span aria-hidden="true">→</span> <ins>{textOf(to)}</ins>
            </span>
            {isMember(member) && leaveOut(field, { [member]: storedValueOf(article, member) })}
          </p>
        ),
      )}
    </>
  );
}

const pageOf = ({ articleId, languageCode }: ArticleFieldsFragment) =>
  ({ tab: 'article', article: articleId, language: languageCode }) as const;

/** Categories are shown by their names. */
const changesOf = ({ changes, movesTo, article }: PreviewFieldsFragment) =>
  changes.map(({ field, from, to }) => {
    const names = { member: memberOf(field), field: FIELD_NAMES[field] ?? field };
    return field === 'CATEGORY_ID'
      ? { ...names, from: article?.category?.name ?? from, to: movesTo?.name ?? to }
      : { ...names, from: shownValue(field, from), to: shownValue(field, to) };
  });

function shownValue(field: ChangedField, value: unknown): unknown {
  if (field === 'STATUS') return Object.entries(STATUSES).find(([status]) => status === value)?.[1] ?? value;
  if (field === 'HIDDEN') return valueText('hidden', value, []);
  return field === 'TRANSLATION_STATUS' ? valueText('translationStatus', value, []) : value;
}

function textOf(value: unknown): string {
  if (value === null || value === '') return 'none';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
