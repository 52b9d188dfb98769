import { useEffect, useState } from 'react';
import type { ArticleFieldsFragment } from '../generated/graphql.ts';
import { lazyPart } from '../lazy-part.tsx';
import { Button, counted, Problem, Problems } from '../parts.tsx';
import { KIND_NAMES, type PublicationRequest } from '../publication/publish.ts';
import type { ProjectVersions } from '../session.ts';
import { useShared } from '../shared.ts';
import { articleQueryOf, useArticleList } from './article-list.ts';
import { type CategoryChoice, useCategories } from './categories.ts';
import { ColumnChoice } from './column-choice.tsx';
import { CsvButtons } from './csv-buttons.tsx';
import type { Edition } from './edition.ts';
import type { Edit } from './edits.ts';
import { FilterBar, refusalsOf, useSearchRule } from './filter-bar.tsx';
import { Grid } from './grid.tsx';
import { type Selection, useSelection } from './selection.ts';
import { SelectionBar } from './selection-bar.tsx';
import { SelectionEdit } from './selection-edit.tsx';

const ArticleText = lazyPart(async () => (await import('../text/article-text.tsx')).ArticleText);

interface ArticlesProps {
  edition: Edition;
  /** Goes on with the selection: shows what would become of it. */
  onPublish: (request: PublicationRequest) => void;
  /** Goes on with the selection: finds and replaces a text in it. */
  onReplace: (articles: readonly ArticleFieldsFragment[]) => void;
  /** Counts what was published or undone: the list is read again then. */
  reloads: number;
  /** What was updated last. */
  updated: readonly Edit[];
}

export function Articles({ edition, updated, reloads, onPublish, onReplace }: ArticlesProps) {
  const { api, view, versions } = useShared();
  const query = articleQueryOf(edition, view);
  const list = useArticleList(api, query, reloads);
  const categories = useCategories(edition);
  const searchRule = useSearchRule(edition);
  const selection = useSelection();
  const [opened, setOpened] = useState<ArticleFieldsFragment | null>(null);
  const [problems, setProblems] = useState<readonly string[]>([]);
  const { patch } = list;
  const { patch: patchSelection } = selection;
  useEffect(() => {
    patch(updated, categories);
    patchSelection(updated, categories);
  }, [patch, patchSelection, updated, categories]);
  return (
    <div className="column">
      <FilterBar {...{ categories, searchRule }} />
      <div className="bar">
        <p role="status">{statusOf(list)}</p>
        <SelectionBar {...{ query, list, selection }} />
        {selection.articles.size > 0 && (
          <SelectionActions {...{ selection, categories, onPublish, onReplace }} onOpen={setOpened} />
        )}
        <CsvButtons {...{ edition, query, categories }} total={list.total} onProblems={setProblems} />
        <ColumnChoice />
      </div>
      <Problem text={list.failure?.message ?? null} onAgain={list.reload} />
      <Problems texts={problems} />
      <div className="beside">
        <Grid
          {...{ list, selection, categories }}
          onProblems={setProblems}
          sortRefusal={refusalsOf(view, searchRule).disablesOthers ? searchRule : null}
        />
        {opened && (
          <ArticleText
            key={opened.articleId}
            article={list.articles.find(({ articleId }) => articleId === opened.articleId) ?? opened}
            mainLanguage={mainLanguageOf(versions, edition)}
            updated={updated}
            onClose={() => setOpened(null)}
          />
        )}
      </div>
    </div>
  );
}

interface SelectionActionsProps extends Pick<ArticlesProps, 'onPublish' | 'onReplace'> {
  selection: Selection;
  categories: readonly CategoryChoice[];
  onOpen: (article: ArticleFieldsFragment) => void;
}

/** What can be done with what is selected. */
function SelectionActions({ selection, categories, onOpen, onReplace, onPublish }: SelectionActionsProps) {
  const { mayWrite, mayPublish } = useShared();
  const articles = [...selection.articles.values()];
  const [first, second] = articles;
  return (
    <>
      {mayWrite && <SelectionEdit {...{ selection, categories }} />}
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

const mainLanguageOf = (versions: ProjectVersions, { projectVersionId }: Edition): string | undefined =>
  versions
    .find((version) => version.projectVersionId === projectVersionId)
    ?.languages?.find(({ isDefault }) => isDefault)?.code;

function statusOf({
  articles: { length },
  total,
  hasMore,
  isLoading,
  failure,
}: ReturnType<typeof useArticleList>): string {
  if (length === 0) return isLoading ? 'Loading…' : failure ? '' : 'No articles.';
  if (total !== null) return counted(total, 'article');
  return hasMore ? `More than ${length} articles` : counted(length, 'article');
}
