import { useEffect, useState } from 'react';
import type { ArticleFieldsFragment } from '../generated/graphql.ts';
import { lazyPart } from '../lazy-part.tsx';
import { Button, counted, Problem, Problems } from '../parts.tsx';
import { KIND_NAMES, type PublicationRequest } from '../publication/publish.ts';
import type { ProjectVersions } from '../session.ts';
import { useShared } from '../shared.ts';
import { type ArticleList, articleQueryOf, useArticleList } from './article-list.ts';
import { type CategoryChoice, useCategories } from './categories.ts';
import { ColumnChoice } from './column-choice.tsx';
import { CsvButtons } from './csv-buttons.tsx';
import type { Edit } from './edits.ts';
import { FilterBar, refusalsOf, useSearchRule } from './filter-bar.tsx';
import { Grid } from './grid.tsx';
import { type Selection, useSelection } from './selection.ts';
import { SelectionBar } from './selection-bar.tsx';
import { SelectionEdit } from './selection-edit.tsx';
import type { VersionLanguage } from './version-language.ts';

const ArticleText = lazyPart(async () => (await import('../text/article-text.tsx')).ArticleText);

interface ArticlesProps {
  versionLanguage: VersionLanguage;
  /** Opens the preview of publishing the selection. */
  onPublish: (request: PublicationRequest) => void;
  /** Opens the search and replacement of a text in the selection. */
  onReplace: (articles: readonly ArticleFieldsFragment[]) => void;
  /** The number of publications and reverts. The list is read again when it changes. */
  reloads: number;
  /** The last updates. */
  updated: readonly Edit[];
}

export function Articles({ versionLanguage, updated, reloads, onPublish, onReplace }: ArticlesProps) {
  const { api, view, versions } = useShared();
  const query = articleQueryOf(versionLanguage, view);
  const list = useArticleList(api, query, reloads);
  const categories = useCategories(versionLanguage);
  const searchRule = useSearchRule(versionLanguage);
  const selection = useSelection();
  const [opened, setOpened] = useState<ArticleFieldsFragment | null>(null);
  const [problems, setProblems] = useState<readonly string[]>([]);
  usePatches([list, selection], updated, categories);
  return (
    <div className="column">
      <FilterBar categories={categories} searchRule={searchRule} />
      <div className="bar">
        <p role="status">{statusOf(list)}</p>
        <SelectionBar query={query} list={list} selection={selection} />
        {selection.articles.size > 0 && (
          <SelectionActions
            selection={selection}
            categories={categories}
            onPublish={onPublish}
            onReplace={onReplace}
            onOpen={setOpened}
          />
        )}
        <CsvButtons
          versionLanguage={versionLanguage}
          query={query}
          categories={categories}
          total={list.total}
          onProblems={setProblems}
        />
        <ColumnChoice />
      </div>
      <Problem text={list.failure?.message ?? null} onAgain={list.reload} />
      <Problems texts={problems} />
      <div className="beside">
        <Grid
          list={list}
          selection={selection}
          categories={categories}
          onProblems={setProblems}
          sortRefusal={refusalsOf(view, searchRule).disablesOthers ? searchRule : null}
        />
        {opened && (
          <ArticleText
            key={opened.articleId}
            article={list.articles.find(({ articleId }) => articleId === opened.articleId) ?? opened}
            mainLanguage={mainLanguageOf(versions, versionLanguage)}
            updated={updated}
            onClose={() => setOpened(null)}
          />
        )}
      </div>
    </div>
  );
}

/** Shows what was updated in the list and in the selection. */
function usePatches(
  [{ patch }, { patch: patchSelection }]: readonly [ArticleList, Selection],
  updated: readonly Edit[],
  categories: readonly CategoryChoice[],
): void {
  useEffect(() => {
    patch(updated, categories);
    patchSelection(updated, categories);
  }, [patch, patchSelection, updated, categories]);
}

interface SelectionActionsProps extends Pick<ArticlesProps, 'onPublish' | 'onReplace'> {
  selection: Selection;
  categories: readonly CategoryChoice[];
  onOpen: (article: ArticleFieldsFragment) => void;
}

/** The buttons for the selection. */
function SelectionActions({ selection, categories, onOpen, onReplace, onPublish }: SelectionActionsProps) {
  const { mayWrite, mayPublish } = useShared();
  const articles = [...selection.articles.values()];
  const [first, second] = articles;
  return (
    <>
      {mayWrite && <SelectionEdit selection={selection} categories={categories} />}
      {first && !second && <Button onClick={() => onOpen(first)}>Open the text</Button>}
      {mayWrite && <Button onClick={() => onReplace(articles)}>Find and replace…</Button>}
      {mayPublish &&
        (['publish', 'unpublish'] as const).map((kind) => (
          <button key={kind} type="button" onClick={() => onPublish({ kind, articles })}>
            {KIND_NAMES[kind]}…
          </button>
        ))}
    </>
  );
}

const mainLanguageOf = (versions: ProjectVersions, { projectVersionId }: VersionLanguage): string | undefined =>
  versions
    .find((version) => version.projectVersionId === projectVersionId)
    ?.languages?.find(({ isDefault }) => isDefault)?.code;

function statusOf({ articles: { length }, total, hasMore, isLoading, failure }: ArticleList): string {
  if (length === 0) return isLoading ? 'Loading…' : failure ? '' : 'No articles.';
  if (total !== null) return counted(total, 'article');
  return hasMore ? `More than ${length} articles` : counted(length, 'article');
}
