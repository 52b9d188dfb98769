import { useEffect, useRef, useState } from 'react';
import { Button } from '../parts.tsx';
import { useShared } from '../shared.ts';
import { type ArticleList, type ArticleQuery, readWholeList } from './article-list.ts';
import type { Selection } from './selection.ts';

interface SelectionBarProps {
  query: ArticleQuery;
  list: ArticleList;
  selection: Selection;
}

/** Selects the loaded articles, or the whole filtered list, which is read for it. */
export function SelectionBar({ query, list, selection }: SelectionBarProps) {
  const { api } = useShared();
  const [message, setMessage] = useState('');
  const key = JSON.stringify(query);
  const wanted = useRef(key);
  useEffect(() => {
    wanted.current = key;
    setMessage('');
  }, [key]);
  const selectAll = async () => {
    setMessage('Loading…');
    const whole = await readWholeList(api, query);
    if (wanted.current !== key) return;
    selection.add(whole.articles);
    setMessage(problemOf(whole));
  };
  const { size } = selection.articles;
  return (
    <p className="inline">
      <Button disabled={list.articles.length === 0} onClick={() => selection.add(list.articles)}>
        Select the {list.articles.length} loaded
      </Button>
      {list.hasMore && (
        <Button onClick={selectAll}>
          {list.total === null ? 'Select all that match' : `Select all ${list.total}`}
        </Button>
      )}
      {size > 0 && <Button onClick={selection.clear}>Clear the selection</Button>}
      <span role="status">
        {size > 0 && `${size} selected.`} {message}
      </span>
    </p>
  );
}

function problemOf({ articles, hasMore, failure }: Awaited<ReturnType<typeof readWholeList>>): string {
  if (failure) return `Only ${articles.length} could be read: ${failure.message}`;
  return hasMore ? `The first ${articles.length} are selected, which is the most at once.` : '';
}
