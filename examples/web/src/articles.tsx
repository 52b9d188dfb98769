import { useState } from 'react';
import { useQuery } from 'urql';
import { type ArticleChange, type ArticleDraft, draftOfArticle } from './article-drafts.ts';
import { ArticleTable } from './article-table.tsx';
import { BulkUpdate } from './bulk-update.tsx';
import { defaultEditionOf, type ProjectVersion, useCategories } from './choices.ts';
import { EditionSelect } from './fields.tsx';
import { type ArticleFieldsFragment, ArticlesDocument, type LanguageScopeInput } from './generated/operations.ts';
import { Pager, usePages } from './pager.tsx';
import { QueryState } from './query-state.tsx';

const PAGE_SIZE = 10;

export function Articles({ versions }: { versions: readonly ProjectVersion[] }) {
  const [edition, setEdition] = useState(() => defaultEditionOf(versions)?.value);
  if (!edition) return <p className="hint">There is no version with a language.</p>;
  return (
    <section aria-labelledby="articles">
      <h2 id="articles">Articles</h2>
      <EditionSelect versions={versions} edition={edition} onChange={setEdition} />
      <ArticlesOfEdition key={`${edition.projectVersionId} ${edition.languageCode}`} edition={edition} />
    </section>
  );
}

function ArticlesOfEdition({ edition }: { edition: LanguageScopeInput }) {
  const pages = usePages();
  const { categories } = useCategories(edition);
  const variables = { ...edition, first: PAGE_SIZE, after: pages.after };
  const [{ data, fetching, error }, reload] = useQuery({ query: ArticlesDocument, variables });
  const [drafts, setDrafts] = useState<readonly ArticleDraft[]>([]);
  const articles = data?.articles;

  const toggle = (article: ArticleFieldsFragment) => {
    const others = drafts.filter((draft) => draft.article.articleId !== article.articleId);
    setDrafts(others.length < drafts.length ? others : [...drafts, draftOfArticle(article)]);
  };
  const edit = (edited: ArticleDraft, change: ArticleChange) =>
    setDrafts(drafts.map((draft) => (draft === edited ? { ...draft, ...change } : draft)));
  // A draft that was edited while the update was sent is another object by now, and stays selected.
  const drop = (updated: readonly ArticleDraft[]) => {
    setDrafts((current) => current.filter((draft) => !updated.includes(draft)));
    reload();
  };
  return (
    <>
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
        </>
      )}
      <QueryState fetching={fetching} error={error} onRetry={reload} />
      <BulkUpdate drafts={drafts} categories={categories} onChange={setDrafts} onUpdated={drop} onReload={reload} />
    </>
  );
}
