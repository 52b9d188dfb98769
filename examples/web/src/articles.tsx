import { useState } from 'react';
import { useQuery } from 'urql';
import { ArticleFilter, type ListFilter, listOf, refusalOf } from './article-filter.tsx';
import { useArticleSelection } from './article-selection.ts';
import { ArticleTable } from './article-table.tsx';
import { BulkUpdate } from './bulk-update.tsx';
import { defaultEditionOf, editionKeyOf, type ProjectVersion, useCategories } from './choices.ts';
import { EditionSelect } from './fields.tsx';
import { ArticlesDocument, type LanguageScopeInput } from './generated/graphql.ts';
import { Jobs, useStartedJobs } from './jobs.tsx';
import { Pager, usePages } from './pager.tsx';
import { QueryState } from './query-state.tsx';
import { SelectAll } from './select-all.tsx';
import { useTypingPause } from './typing-pause.ts';
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
  const [filter, setFilter] = useState<ListFilter>({ categoryId: '', text: '' });
  const { categories } = useCategories(edition);
  const text = useTypingPause(filter.text);
  const list = listOf(edition, { ...filter, text });
  const listKey = JSON.stringify(list);
  const pages = usePages(listKey);
  const variables = { ...list, first: PAGE_SIZE, after: pages.after };
  const [{ data, fetching, error }, reload] = useQuery({ query: ArticlesDocument, variables });
  const { drafts, setDrafts, toggle, add, edit, drop } = useArticleSelection();
  const { started, addStarted } = useStartedJobs();
  const refusal = list.filter ? refusalOf(error) : undefined;
  const articles = data?.articles;
  return (
    <>
      <ArticleFilter
        categories={categories}
        filter={filter}
        found={fetching || text !== filter.text ? null : (articles?.totalCount ?? null)}
        refusal={refusal}
        onChange={(change) => setFilter({ ...filter, ...change })}
      />
      {articles && (
        <>
          <ArticleTable articles={articles.nodes} {...{ drafts, categories }} onToggle={toggle} onEdit={edit} />
          <Pager pages={pages} pageInfo={articles.pageInfo} total={articles.totalCount} />
          <SelectAll key={listKey} list={list} total={articles.totalCount} isStale={fetching} onSelect={add} />
        </>
      )}
      {!refusal && <QueryState fetching={fetching} error={error} onRetry={reload} />}
      <BulkUpdate
        drafts={drafts}
        categories={categories}
        onChange={setDrafts}
        onUpdated={(updated) => {
          drop(updated);
          reload();
        }}
        onStarted={(jobId, taken) => {
          addStarted(jobId, taken);
          drop(taken);
        }}
        onReload={reload}
      />
      <Jobs started={started} isFailureShown={!refusal && error !== undefined} onEnded={reload} />
    </>
  );
}
