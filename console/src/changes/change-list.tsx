import { type ReactNode, useMemo } from 'react';
import { STATUSES, valueText } from '../articles/cell-values.ts';
import { type Changed, type Edit, keyOf, type Seen } from '../articles/edits.ts';
import type { ChangedField, PreviewFieldsFragment } from '../generated/graphql.ts';
import { Button, lazyPart, Problem, ViewLink, VirtualList } from '../parts.tsx';
import { type CheckedEdit, type Conflict, isOfPublished, nameOf, type usePreviews } from './preview.ts';

export const TextDiff = lazyPart(async () => (await import('./text-diff.tsx')).TextDiff);

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
  previews: ReturnType<typeof usePreviews>;
  /** The number of changes, of which some may not be checked yet. */
  total: number;
  /** A text that is shown instead of the progress. */
  hint?: string | false;
  onDrop: (items: readonly CheckedEdit[]) => void;
  /** Keeps or drops changes of what is another value now than their author saw: of all such members, or of one. */
  onDecide?: (items: readonly CheckedEdit[], isMine: boolean, name?: keyof Seen) => void;
  /** Changes one edit, so that places of it are left out. */
  onChange?: (...changed: Changed) => void;
  /** What is shown between the counts and the list. */
  children?: ReactNode;
}

/** Changes of one kind. */
interface Group {
  readonly name: string;
  readonly items: readonly CheckedEdit[];
  /** What those do that need not be sent. */
  readonly would?: string;
  /** True where somebody decides about them. */
  readonly isOpen?: boolean;
}

/** The failing ones, those to decide about, then those that change the same fields, the most first, then those that change nothing. */
function groupsOf(checked: readonly CheckedEdit[]) {
  const states = Map.groupBy(checked, ({ preview, conflicts }) => {
    if (!preview.wouldSucceed) return 'failing';
    if (preview.changes.length === 0) return 'idle';
    return conflicts.length > 0 ? 'open' : 'rest';
  });
  const { failing = [], idle = [], open = [], rest = [] } = Object.fromEntries(states);
  const kinds = Map.groupBy(rest, ({ preview }) =>
    [...new Set(changesOf(preview).map(({ field }) => field))].join(', '),
  );
  const groups: readonly Group[] = [
    { name: 'Would fail', items: failing, would: 'fail' },
    { name: 'Changed since you edited', items: open, isOpen: true },
    ...[...kinds]
      .map(([name, items]) => ({ name, items }))
      .toSorted((one, other) => other.items.length - one.items.length),
    { name: 'Would change nothing', items: idle, would: 'change nothing' },
  ];
  return { failing, open, idle, rest, groups: groups.filter(({ items }) => items.length > 0) };
}

/** The counts, and below them each change with its effect, by kind. Each can be left out, and all of a kind at once. */
export function ChangeList({ previews, total, hint, children, ...on }: ChangeListProps) {
  const { checked, warnings, problem, recheck } = previews;
  const { failing, open, idle, rest, groups } = useMemo(() => groupsOf(checked), [checked]);
  const rows = groups.flatMap((group): readonly (Group | CheckedEdit)[] => [group, ...group.items]);
  return (
    <>
      <p className="bar" role="status">
        {hint || (checked.length < total && problem === null && `Checking… ${checked.length} of ${total}`)}
        {!hint && checked.length === total && (
          <span>
            Checked: <span className="good">{rest.length} can be sent</span>,{' '}
            {open.length > 0 && <span className="doubt">{open.length} to decide about, </span>}
            <span className={failing.length > 0 ? 'bad' : 'hint'}>{failing.length} would fail</span>,{' '}
            <span className="hint">{idle.length} would change nothing.</span>
          </span>
        )}
      </p>
      <Problem text={problem} onAgain={recheck} again="Check again" />
      {warnings.map((warning) => (
        <p key={warning} className="bar doubt">
          {warning}
        </p>
      ))}
      {children}
      <VirtualList label="Changes" items={rows} keyOf={(row) => ('edit' in row ? keyOf(row.edit.article) : row.name)}>
        {(row) => ('edit' in row ? <ChangeItem item={row} {...on} /> : <GroupHead group={row} {...on} />)}
      </VirtualList>
    </>
  );
}

type Actions = Pick<ChangeListProps, 'onDrop' | 'onDecide' | 'onChange'>;

function GroupHead({ group: { name, items, would, isOpen }, onDrop, onDecide }: Actions & { group: Group }) {
  const leaveOut = `Leave out ${items.length === 1 ? 'the one' : `all ${items.length}`}`;
  return (
    <div className="inline apart">
      <h3>
        {name} <span className="hint">{items.length}</span>
      </h3>
      {isOpen && onDecide ? (
        <Decide all="all of " onDecide={(isMine) => onDecide(items, isMine)} />
      ) : (
        <Button
          aria-label={`${leaveOut} ${would ? `that would ${would}` : `of ${name}`}`}
          onClick={() => onDrop(items)}
        >
          {leaveOut}
        </Button>
      )}
    </div>
  );
}

type DecideProps = { of?: string; all?: string; onDecide: (isMine: boolean) => void };

const Decide = ({ of, all = '', onDecide }: DecideProps) =>
  [true, false].map((isMine) => {
    const text = `${isMine ? 'Keep' : 'Drop'} ${all}mine`;
    return (
      <Button key={text} aria-label={of && `${text}: ${of}`} onClick={() => onDecide(isMine)}>
        {text}
      </Button>
    );
  });

type ItemProps = Actions & { item: CheckedEdit };

function ChangeItem({ item, onDrop, ...on }: ItemProps) {
  const { edit, preview } = item;
  const { articleId: article, languageCode: language } = edit.article;
  const changes = changesOf(preview);
  return (
    <div className="stack">
      <div className="inline apart">
        <strong>
          <ViewLink to={{ tab: 'article', article, language }}>{titleOf(item)}</ViewLink>
        </strong>
        {isOfPublished(edit, preview) && <span className="doubt">Published</span>}
        <Button aria-label={`Leave out ${titleOf(item)}`} onClick={() => onDrop([item])}>
          Leave out
        </Button>
      </div>
      {preview.issues.map(({ message }) => (
        <p key={message} className="bad">
          Would fail: {message}
        </p>
      ))}
      {preview.wouldSucceed && changes.length === 0 && <p className="hint">It is so already.</p>}
      {changes.map((change) => (
        <ChangedMember key={change.field} change={change} isAlone={changes.length === 1} item={item} {...on} />
      ))}
    </div>
  );
}

type ChangedMemberProps = Omit<ItemProps, 'onDrop'> & {
  change: ReturnType<typeof changesOf>[number];
  isAlone: boolean;
};

/** The change of a member, with what it was when it was edited where it is another one now. */
function ChangedMember({ change: { name, field, from, to }, isAlone, item, onDecide, onChange }: ChangedMemberProps) {
  const { article } = item.edit;
  const conflict = item.conflicts.find((one) => one.name === name);
  const of = `${field} of ${titleOf(item)}`;
  const choices =
    conflict && onDecide ? (
      <Decide of={of} onDecide={(isMine) => onDecide([item], isMine, conflict.name)} />
    ) : (
      onChange &&
      !isAlone &&
      name !== null && (
        <Button aria-label={`Leave out ${of}`} onClick={() => onChange(article, { [name]: undefined })}>
          Leave out
        </Button>
      )
    );
  if (field !== 'Text')
    return (
      <p className="inline apart">
        <span>
          {field}: <del>{textOf(from)}</del> <span className="unseen">becomes</span>
          <span aria-hidden="true">→</span> <ins>{textOf(to)}</ins>
          {conflict && (
            <span className="doubt">
              {' '}
              It was {seenText(item.edit, conflict)} when you edited it, and it is {textOf(from)} now.
            </span>
          )}
        </span>
        {choices}
      </p>
    );
  return (
    <>
      <p className="inline apart">
        <span>{conflict ? 'Text, as it has changed since you edited it:' : field}</span>
        {choices}
      </p>
      {conflict && <TextDiff from={String(conflict.seen)} to={String(from ?? '')} />}
      {conflict && <p>Yours, in place of that:</p>}
      <TextDiff
        from={String(from ?? '')}
        to={String(to ?? '')}
        onChange={onChange && ((content) => onChange(article, { content: content === from ? undefined : content }))}
      />
    </>
  );
}

const titleOf = ({ edit: { article } }: CheckedEdit): string => article.title || article.articleId;

/** Categories are shown by their names. */
const changesOf = ({ changes, movesTo, article }: PreviewFieldsFragment) =>
  changes.map(({ field, from, to }) => {
    const names = { name: nameOf(field), field: FIELD_NAMES[field] ?? field };
    return field === 'CATEGORY_ID'
      ? { ...names, from: article?.category?.name ?? from, to: movesTo?.name ?? to }
      : { ...names, from: shownValue(field, from), to: shownValue(field, to) };
  });

function seenText({ article: { category } }: Edit, { name, seen }: Conflict): string {
  if (name === 'categoryId') return textOf(category?.categoryId === seen ? category?.name : seen);
  return textOf(name === 'content' ? seen : valueText(name, seen, []));
}

function shownValue(field: ChangedField, value: unknown): unknown {
  if (field === 'STATUS') return Object.entries(STATUSES).find(([status]) => status === value)?.[1] ?? value;
  if (field === 'HIDDEN') return valueText('hidden', value, []);
  return field === 'TRANSLATION_STATUS' ? valueText('translationStatus', value, []) : value;
}

function textOf(value: unknown): string {
  if (value === null || value === '') return 'none';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
