import { useEffect, useState } from 'react';
import { counted } from '../counted.ts';
import { Button, Choice, lazyPart, Popover, Problem, useNotice, useSay } from '../parts.tsx';
import { KIND_NAMES } from '../publication/publication.tsx';
import { useShared } from '../shared.ts';
import { type ArticleList, MAX_SELECTED, useArticleList, useSortedList } from './article-list.ts';
import type { GridProps } from './article-table.ts';
import { choicesOf, readCell } from './cell-values.ts';
import { ColumnChoice } from './column-choice.tsx';
import { CsvButtons } from './csv-buttons.tsx';
import { MEMBER_NAMES } from './edits.ts';
import { FilterBar, FilterChips, NO_FILTERS, useRefusals } from './filter-bar.tsx';
import { Grid } from './grid.tsx';
import { NamedViews } from './named-views.tsx';
import { type Selection, useSelection } from './selection.ts';

const CategoryTree = lazyPart(async () => (await import('../category-tree/category-tree.tsx')).CategoryTree);

/** The list of the view and its selection, with the last updates. */
function useArticles() {
  const { categories, updated } = useShared();
  const list = useSortedList(useArticleList());
  const selection = useSelection(list);
  const [{ patch }, { patch: patchSelection }] = [list, selection];
  useEffect(() => {
    patch(updated, categories);
    patchSelection(updated, categories);
  }, [patch, patchSelection, updated, categories]);
  return { list, selection };
}

export function Articles() {
  const { view, work, actions, categories, changeView } = useShared();
  const { list, selection } = useArticles();
  const refusals = useRefusals();
  const [showsTree, setShowsTree] = useState(() => matchMedia('(width >= 64rem)').matches);
  const [problems, setProblems] = useState<readonly string[]>([]);
  useNotice(view.tab === 'articles' ? problems : null);
  // An undo takes back what they are about.
  useEffect(() => {
    if (work.future.length > 0) setProblems([]);
  }, [work.future]);
  const drop = (ids: readonly string[], categoryId: string) => {
    const dropped = ids.map(
      (id) => selection.articles.get(id) ?? list.articles.find(({ articleId }) => articleId === id),
    );
    actions.edit(dropped.flatMap((article) => (article ? [[article, { categoryId }] as const] : [])));
  };
  const rows = { list, selection, refusals, onProblems: setProblems };
  return (
    <div className="column">
      <Tools {...rows} showsTree={showsTree} onTree={() => setShowsTree(!showsTree)} />
      <Problem text={list.failure?.message ?? null} onAgain={list.reload} />
      <div className="beside">
        {showsTree && categories.length > 0 && (
          <nav className="tree" aria-label="Categories">
            <CategoryTree
              onChoose={(category) => changeView(refusals.disablesOthers ? { category, text: '' } : { category })}
              onDrop={drop}
            />
          </nav>
        )}
        <div className="column list">
          {list.articles.length + Number(list.isLoading) === 0 && !list.failure ? <NoArticle /> : <Grid {...rows} />}
          {selection.articles.size > 0 && <SelectionBar selection={selection} />}
        </div>
      </div>
    </div>
  );
}

interface ToolsProps extends GridProps {
  showsTree: boolean;
  onTree: () => void;
}

/** What chooses and counts the articles, in two rows that keep their height. */
function Tools(props: ToolsProps) {
  const { list, selection, refusals } = props;
  const { work, actions, mayWrite, changeView } = useShared();
  return (
    <>
      <div className="tools">
        <VersionLanguageChoice />
        <Button aria-expanded={props.showsTree} onClick={props.onTree}>
          Categories
        </Button>
        <NamedViews />
        <FilterBar refusals={refusals} />
        <ColumnChoice />
        <Popover label="CSV" keepMounted>
          <CsvButtons {...props} />
        </Popover>
      </div>
      <div className="tools">
        <p role="status">{statusOf(list)}</p>
        <FilterChips refusals={refusals} />
        <SelectAll list={list} selection={selection} />
        {mayWrite && (
          <span className="inline push">
            <Button onClick={() => changeView({ tab: 'create' })}>New article…</Button>
            <Button disabled={work.past.length === 0} onClick={actions.undo}>
              Undo
            </Button>
            <Button disabled={work.future.length === 0} onClick={actions.redo}>
              Redo
            </Button>
          </span>
        )}
      </div>
    </>
  );
}

/** Where no article is in the list. */
function NoArticle() {
  const { view, changeView } = useShared();
  const filters = { ...NO_FILTERS, text: '' };
  const isFiltered = Object.entries(view).some(([name, value]) => name in filters && value !== '');
  return (
    <p className="bar">
      <strong>{isFiltered ? 'No article matches.' : 'There is no article in this version and language yet.'}</strong>
      {isFiltered && <Button onClick={() => changeView(filters)}>Clear the filters</Button>}
    </p>
  );
}

function VersionLanguageChoice() {
  const { versions, versionLanguage, changeView } = useShared();
  const version = versions.find(({ projectVersionId }) => projectVersionId === versionLanguage.projectVersionId);
  return (
    <>
      <Choice
        label="Version"
        value={versionLanguage.projectVersionId}
        options={versions.map(({ projectVersionId, name }) => [projectVersionId, name] as const)}
        onChange={(projectVersionId) => changeView({ version: projectVersionId, language: '', category: '' })}
      />
      <Choice
        label="Language"
        value={versionLanguage.languageCode}
        options={(version?.languages ?? []).map(({ code, name }) => [code, name] as const)}
        onChange={(language) => changeView({ language })}
      />
    </>
  );
}

/** What can be done with the selection, above the end of the grid, which does not move for it. */
function SelectionBar({ selection }: { selection: Selection }) {
  const { mayWrite, mayPublish, replace, publish, changeView } = useShared();
  const articles = [...selection.articles.values()];
  const [first, second] = articles;
  const { notShown } = selection;
  return (
    <section className="selection" aria-label="Selection">
      <p role="status">{`${articles.length} selected${notShown > 0 ? `, ${notShown} not shown` : ''}.`}</p>
      {mayWrite && <SelectionEdit selection={selection} />}
      {first && !second && (
        <Button onClick={() => changeView({ tab: 'article', article: first.articleId })}>Open the article</Button>
      )}
      {mayWrite && <Button onClick={() => replace(articles)}>Find and replace…</Button>}
      {mayPublish &&
        (['publish', 'unpublish'] as const).map((kind) => (
          <Button key={kind} onClick={() => publish({ kind, articles })}>
            {KIND_NAMES[kind]}…
          </Button>
        ))}
      <Button aria-label="Clear the selection" onClick={selection.clear}>
        Clear
      </Button>
    </section>
  );
}

const MEMBERS = (['hidden', 'categoryId', 'translationStatus'] as const).map(
  (member) => [member, MEMBER_NAMES[member]] as const,
);

/** Gives all selected articles one value. This is an unsent change like others. */
function SelectionEdit({ selection }: { selection: Selection }) {
  const { actions, categories } = useShared();
  const [member, setMember] = useState<(typeof MEMBERS)[number][0]>('hidden');
  const apply = (text: string) => {
    const read = readCell(member, text, categories);
    if ('change' in read) actions.edit([...selection.articles.values()].map((article) => [article, read.change]));
  };
  const values = (choicesOf(member, categories) ?? []).map(([, value]) => [value, value] as const);
  return (
    <>
      <Choice label="Set" value={member} options={MEMBERS} onChange={setMember} />
      <Choice label="to" value="" placeholder="choose" options={values} onChange={apply} />
    </>
  );
}

/** Selects the whole filtered list, whose rest is read for it. */
function SelectAll({ list, selection }: Pick<GridProps, 'list' | 'selection'>) {
  const say = useSay();
  const { articles, hasMore, total } = list;
  const selectAll = async () => {
    const whole = await list.loadUntil(MAX_SELECTED);
    if (whole) selection.add(whole.articles);
    if (whole?.hasMore) say(`The first ${whole.articles.length} are selected, which is the most at once.`);
  };
  return (
    <Button disabled={articles.length === 0} onClick={selectAll}>
      Select all {total ?? (hasMore ? 'that match' : articles.length)}
    </Button>
  );
}

function statusOf({ articles: { length }, total, hasMore, isLoading, failure }: ArticleList): string {
  if (length === 0) return isLoading ? 'Loading…' : failure ? '' : 'No articles.';
  if (total !== null) return counted(total, 'article');
  return hasMore ? `More than ${length} articles` : counted(length, 'article');
}
