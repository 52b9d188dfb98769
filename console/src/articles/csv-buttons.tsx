import { type ChangeEvent, useState } from 'react';
import type { Edition } from '../app.tsx';
import { useShared } from '../shared.ts';
import { type ArticleQuery, readWholeList } from './article-list.ts';
import type { CategoryChoice } from './categories.ts';
import { MAX_CSV_BYTES, readCsv, writeCsv } from './csv.ts';

interface CsvButtonsProps {
  edition: Edition;
  query: ArticleQuery;
  categories: readonly CategoryChoice[];
  onProblems: (problems: readonly string[]) => void;
}

/** The filtered list as a file of CSV, and such a file back in, whose rows become changes that are not sent yet. */
export function CsvButtons({ edition, query, categories, onProblems }: CsvButtonsProps) {
  const { api, actions, mayWrite } = useShared();
  const [message, setMessage] = useState('');
  const save = async () => {
    setMessage('Loading…');
    const { articles, hasMore, failure } = await readWholeList(api, query);
    if (failure) return setMessage(failure.message);
    download(writeCsv(articles));
    setMessage(
      hasMore
        ? `The first ${articles.length} are in the file, which is the most.`
        : `${articles.length} are in the file.`,
    );
  };
  const open = async ({ target }: ChangeEvent<HTMLInputElement>) => {
    const file = target.files?.[0];
    if (file === undefined) return;
    setMessage('Reading…');
    const { changes, problems } =
      file.size > MAX_CSV_BYTES
        ? { changes: [], problems: [`The file has more than ${MAX_CSV_BYTES / 1e6} MB.`] }
        : await readCsv(await file.text(), { api, edition, categories });
    // The same file can be chosen again.
    target.value = '';
    actions.edit(changes);
    onProblems(problems);
    setMessage(`${changes.length} rows read.`);
  };
  return (
    <span className="inline">
      <button type="button" onClick={save}>
        Save as CSV
      </button>
      {mayWrite && (
        <label className="button">
          Open a CSV
          <input className="unseen" type="file" accept=".csv,text/csv" onChange={open} />
        </label>
      )}
      <span role="status">{message}</span>
    </span>
  );
}

function download(text: string): void {
  const url = URL.createObjectURL(new Blob(['\uFEFF', text], { type: 'text/csv;charset=utf-8' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = 'articles.csv';
  link.click();
  URL.revokeObjectURL(url);
}
