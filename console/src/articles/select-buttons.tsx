import { useState } from 'react';
import { Button } from '../parts.tsx';
import { type ArticleList, MAX_SELECTED } from './article-list.ts';
import type { Selection } from './selection.ts';

/** Selects the loaded articles, or the whole filtered list, which is read for it. */
export function SelectButtons({ list, selection }: { list: ArticleList; selection: Selection }) {
  const [message, setMessage] = useState('');
  const selectAll = async () => {
    const whole = await list.loadUntil(MAX_SELECTED);
    if (whole) selection.add(whole.articles);
    setMessage(whole?.hasMore ? `The first ${whole.articles.length} are selected, which is the most at once.` : '');
  };
  return (
    <>
      <Button disabled={list.articles.length === 0} onClick={() => selection.add(list.articles)}>
        Select the {list.articles.length} loaded
      </Button>
      {list.hasMore && (
        <Button onClick={selectAll}>
          {list.total === null ? 'Select all that match' : `Select all ${list.total}`}
        </Button>
      )}
      <span role="status" className="hint">
        {message}
      </span>
    </>
  );
}
