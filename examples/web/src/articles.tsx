import { useState } from 'react';
import { useQuery } from 'urql';
import { type ArticleChange, type ArticleDraft, draftOfArticle } from './article-drafts.ts';
import { CategoryFilter, SelectAll } from './article-selection.tsx';
import { ArticleTable } from './article-table.tsx';
import { BulkUpdate } from './bulk-update.tsx';
import { defaultEditionOf, editionKeyOf, type ProjectVersion, useCategories } from './choices.ts';
import { EditionSelect } from './fields.tsx';
import { type ArticleFieldsFragment, ArticlesDocument, type LanguageScopeInput } from './generated/operations.ts';
import { Pager, usePages } from './pager.tsx';
import { QueryState } from './query-state.tsx';
import { useMayDiscard } from './unsaved-changes.tsx';

const PAGE_SIZE = 10;

export function Articles({ versions }: { versions: readonly ProjectVersion[] }) {
  const [edition, setEdition] = useState(() => defaultEditionOf(versions)?.value);
  const mayDiscard = useMayDiscard();
  if (!edition) return <p className="hint">There is no version with a language.</p>;
  return (
    <section aria-labelledby="articles">
      <h2 id="articles">Articles</h2>
      <EditionSelect versions={versions} edition={edition} onChange={(next) => mayDiscard() && setEdition(next)} />
      <ArticlesOfEdition key={editionKeyOf(edition)} edition={edition} />
    </section>
  );
}

function ArticlesOfEdition({ edition }: { edition: LanguageScopeInput }) {
  const pages = usePages();
  const [categoryId, setCategoryId] = useState('');
  const { categories } = useCategories(edition);
  const filter = { ...edition, categoryId: categoryId || null };
  const variables = { ...filter, first: PAGE_SIZE, after: pages.after };
  const [{ data, fetching, error }, reload] = useQuery({ query: ArticlesDocument, variables });
  const [drafts, setDrafts] = useState<readonly ArticleDraft[]>([]);
  const articles = data?.articles;

  const toggle = (article: ArticleFieldsFragment) => {
    const others = drafts.filter((draft) => draft.article.articleId !== article.articleId);
    setDrafts(others.length < drafts.length ? others : [...drafts, draftOfArticle(article)]);
  };
  const select = (found: readonly ArticleFieldsFragment[]) =>
    setDrafts((current) => {
      const selected = new Set(current.map(({ article }) => article.articleId));
      return [...current, ...found.filter(({ articleId }) => !selected.has(articleId)).map(draftOfArticle)];
    });
  const edit = (edited: ArticleDraft, change: ArticleChange) =>
    setDrafts(drafts.map((draft) => (draft === edited ? { ...draft, ...change } : draft)));
  // A draft that was edited while the update was sent is another object by now, and stays selected.
  const drop = (updated: readonly ArticleDraft[]) => {
    setDrafts((current) => current.filter((draft) => !updated.includes(draft)));
    reload();
  };
  const show = (nextId: string) => {
    setCategoryId(nextId);
    pages.restart();
  };
  return (
    <>
      <CategoryFilter categories={categories} categoryId={categoryId} onChange={show} />
      {articles && (
        <>
          <ArticleTable
            articles={articles.nodes}
            drafts={drafts}
            categories={categories}
            onToggle={toggle}
            onEdit={edit}
          />
          <Pager pages={pages} pageInfo={articles.pageInfo} total={articles.totalCount} />
          <SelectAll key={categoryId} filter={filter} total={articles.totalCount} onSelect={select} />
        </>
      )}
      <QueryState fetching={fetching} error={error} onRetry={reload} />
      <BulkUpdate drafts={drafts} categories={categories} onChange={setDrafts} onUpdated={drop} onReload={reload} />
    </>
  );
}
