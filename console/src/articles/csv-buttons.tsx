import { type ChangeEvent, useRef, useState } from 'react';
import type { Api } from '../api.ts';
import { Button, Check } from '../parts.tsx';
import { useShared } from '../shared.ts';
import { type ArticleList, MAX_SELECTED } from './article-list.ts';
import { MAX_CSV_BYTES, readCsv, writeCsv } from './csv.ts';
import { boundedProblems } from './paste.ts';
import { MAX_TEXTS, readTexts, textsCost } from './texts.ts';

interface CsvButtonsProps {
  list: ArticleList;
  onProblems: (problems: readonly string[]) => void;
}

/** Saves the filtered list as a CSV file, and opens such a file, whose rows become unsent changes. */
export function CsvButtons(props: CsvButtonsProps) {
  const { api, versionLanguage, categories, actions, mayWrite } = useShared();
  const [message, setMessage] = useState('');
  const open = async ({ target }: ChangeEvent<HTMLInputElement>) => {
    const file = target.files?.[0];
    if (file === undefined) return;
    setMessage('Reading…');
    const { changes, problems } =
      file.size > MAX_CSV_BYTES
        ? { changes: [], problems: [`The file has more than ${MAX_CSV_BYTES / 1e6} MB.`] }
        : await readCsv(new Uint8Array(await file.arrayBuffer()), { api, versionLanguage, categories });
    // This allows choosing the same file again.
    target.value = '';
    actions.edit(changes);
    props.onProblems(problems);
    setMessage(`${changes.length} rows read.`);
  };
  return (
    <span className="inline">
      <SaveCsv {...props} onMessage={setMessage} />
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

const TOO_MANY_TEXTS = `At most ${MAX_TEXTS} texts are read for one file: filter the articles.`;

interface SaveCsvProps extends CsvButtonsProps {
  onMessage: (message: string) => void;
}

/** The cost of texts is shown before one is read. */
function SaveCsv({ list, onProblems, onMessage }: SaveCsvProps) {
  const { api } = useShared();
  const [withTexts, setWithTexts] = useState(false);
  const [isReading, setIsReading] = useState(false);
  const isStopped = useRef(false);
  const save = async () => {
    isStopped.current = false;
    setIsReading(true);
    onMessage('Loading…');
    const onText = (text: string) => {
      onMessage(text);
      return !isStopped.current;
    };
    const { csv, message, problems = [] } = await readFile(api, list, withTexts ? onText : null);
    setIsReading(false);
    onMessage(message);
    onProblems(boundedProblems(problems));
    if (csv !== undefined) download('articles.csv', csv);
  };
  const total = list.total ?? MAX_TEXTS;
  const cost = total > MAX_TEXTS ? TOO_MANY_TEXTS : textsCost(total);
  return (
    <>
      <Button disabled={isReading} onClick={save}>
        Save as CSV
      </Button>
      <Check label="with texts" checked={withTexts} onChange={setWithTexts} />
      {withTexts && <span className="hint">{cost}</span>}
      {withTexts && isReading && <Button onClick={() => (isStopped.current = true)}>Stop</Button>}
    </>
  );
}

/** Makes the file where it can be made. With `onText` it has texts: that reports how many have been read, and returns false to stop. */
async function readFile(api: Api, list: ArticleList, onText: ((message: string) => boolean) | null) {
  const whole = await list.loadUntil(MAX_SELECTED);
  if (!whole || whole.failure)
    return { message: whole?.failure?.message ?? 'There is no file, since another list is shown now.' };
  const { articles, hasMore } = whole;
  if (onText && articles.length > MAX_TEXTS) return { message: TOO_MANY_TEXTS };
  const onPart = (count: number) => onText?.(`Reading texts… ${count} of ${articles.length}`) ?? true;
  const read = onText && (await readTexts(api, articles, onPart));
  if (typeof read === 'string') return { message: read };
  const { csv, problems } = writeCsv(articles, read?.texts ?? null);
  return {
    csv,
    problems: [...(read?.problems ?? []), ...problems],
    message: hasMore
      ? `The first ${articles.length} are in the file, which is the most.`
      : `${articles.length} are in the file.`,
  };
}

/** Saves a text as a file for spreadsheets. */
export const download = (name: string, text: string): void => save(name, ['\uFEFF', text], 'text/csv;charset=utf-8');

/** Saves a file. */
export function save(name: string, parts: string[], type: string): void {
  const url = URL.createObjectURL(new Blob(parts, { type }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}
