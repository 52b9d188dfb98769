import { useState } from 'react';
import { isDone } from '../../../src/core/plans/apply-run.ts';
import type { Since } from '../../../src/core/plans/apply-texts.ts';
import type { PlanItem } from '../../../src/core/plans/plan-file.ts';
import type { PlanGateway } from '../../../src/core/plans/plan-gateway.ts';
import { changeLines } from '../../../src/core/plans/plan-summary.ts';
import { readTexts } from '../../../src/core/plans/target.ts';
import { TextDiff } from '../changes/change-list.tsx';
import { Button, Problem, VirtualList } from '../parts.tsx';
import type { OpenPlan } from './open-plan.ts';
import type { Apply } from './use-apply.ts';

interface PlanItemsProps {
  opened: OpenPlan;
  apply: Apply;
  /** What became of each article since the plan, where it is not as the plan found it. */
  since: ReadonlyMap<string, Since>;
}

/** The kinds of items in the order in which they are shown. The others need no line. */
const GROUPS: readonly (readonly [name: string, isOf: (item: PlanItem) => boolean])[] = [
  ['Would fail', (item) => item.kind === 'left-out' && item.isProblem],
  ['New categories', ({ kind }) => kind === 'category'],
  ['Create', ({ kind }) => kind === 'create'],
  ['Translate', ({ kind }) => kind === 'translate'],
  ['Change', ({ kind }) => kind === 'change'],
  ['Publish unchanged', (item) => item.kind === 'same' && item.publish],
  ['Files that are gone', ({ kind }) => kind === 'gone'],
  ['Left out', (item) => item.kind === 'left-out' && !item.isProblem],
];

const pathOf = (item: PlanItem): string => ('path' in item ? item.path : `${item.folder}/`);

/** What a plan does, by kind. What was not done comes first. */
export function PlanItems(props: PlanItemsProps) {
  const { items } = props.opened.plan;
  const isNotDone = (item: PlanItem) => !isDone(props.apply.outcomes.get(pathOf(item))?.outcome ?? 'unchanged');
  const groups = [['Not done', isNotDone] as const, ...GROUPS].map(
    ([name, isOf]) => [name, items.filter((item) => isOf(item) && (name === 'Not done' || !isNotDone(item)))] as const,
  );
  const rows = groups.flatMap(([name, all]) => (all.length === 0 ? [] : [{ name, count: all.length }, ...all]));
  return (
    <VirtualList
      label="What the plan does"
      items={rows}
      keyOf={(row) => ('name' in row && 'count' in row ? row.name : pathOf(row))}
    >
      {(row) =>
        'count' in row ? (
          <h3>
            {row.name} <span className="hint">{row.count}</span>
          </h3>
        ) : (
          <Item item={row} {...props} />
        )
      }
    </VirtualList>
  );
}

const SINCE: Readonly<Record<Since, string>> = {
  'as found': '',
  'as planned': 'Is already as planned.',
  changed: 'Has changed since the plan, and will be left as it is.',
  'not there': 'Its article is not there any more.',
};

function Item({ item, opened: { stored }, apply, since }: PlanItemsProps & { item: PlanItem }) {
  const { outcomes, kept, options } = apply;
  const path = pathOf(item);
  const { outcome, before, reason } = outcomes.get(path) ?? {};
  const became = since.get(path);
  const article =
    'language' in item && 'articleId' in item ? stored.get(item.language)?.get(item.articleId ?? '') : undefined;
  const lines = item.kind === 'change' ? changeLines(item.set, article) : [];
  return (
    <>
      <p>
        <strong>{path}</strong> {aboutItem(item)}{' '}
        {'publish' in item && item.publish && <span className="hint">and publish</span>}
      </p>
      {lines.map((line) => (
        <p key={line}>{line}</p>
      ))}
      {'set' in item && item.set.content !== undefined && (
        <ItemText id={article?.id} content={item.set.content} gateway={options.gateway} />
      )}
      {item.kind === 'category' && kept.has(path) && <p className="good">is there</p>}
      {outcome === undefined && became !== undefined && <p className="doubt">{SINCE[became]}</p>}
      {outcome !== undefined && (
        <p className={isDone(outcome) ? 'good' : outcome === 'unknown' ? 'doubt' : 'bad'}>
          {[before, outcome].filter(Boolean).join(', ')}
          {reason !== undefined && `: ${reason}`}
        </p>
      )}
    </>
  );
}

/** The words after the path of an item. */
function aboutItem(item: PlanItem): string {
  if (item.kind === 'left-out') return item.reason;
  if (item.kind === 'category') return item.name;
  if (item.kind === 'gone') return item.action ?? 'stays as it is';
  return 'set' in item
    ? [item.set.title, item.kind === 'translate' && `(${item.language})`].filter(Boolean).join(' ')
    : '';
}

/** The lines of a text that a plan adds and takes away. The text of an article is read when it is asked for. */
function ItemText({ id, content, gateway }: { id: string | undefined; content: string; gateway: PlanGateway }) {
  const [before, setBefore] = useState<string | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const read = async () => {
    try {
      let text = '';
      for await (const stored of readTexts(gateway, id === undefined ? [] : [id])) text = stored.content ?? '';
      setBefore(text);
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      setProblem(error.message);
    }
  };
  if (before !== null) return <TextDiff from={before} to={content} />;
  return (
    <>
      <Button onClick={read}>Show the text</Button>
      <Problem text={problem} />
    </>
  );
}
