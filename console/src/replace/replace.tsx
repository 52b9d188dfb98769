import { Form } from '@base-ui/react/form';
import { useState } from 'react';
import { boundedProblems } from '../articles/paste.ts';
import { MAX_TEXTS, textsCost } from '../articles/texts.ts';
import { counted } from '../counted.ts';
import type { ArticleFieldsFragment } from '../generated/graphql.ts';
import { Button, Check, focus, Pane, Problem, TextField, VirtualList } from '../parts.tsx';
import { useLast, useShared } from '../shared.ts';
import { type Found, findPlaces, MAX_PLACES, type Place, replacePlaces, type Search } from './places.ts';

const CONTEXT_CHARS = 60;

const TOO_MANY_TEXTS = `Texts of at most ${MAX_TEXTS} articles are searched at once: select fewer.`;

const NOTHING: Found = { places: [], searched: 0, problems: [] };

/** Finds a text in the titles and texts of a selection and shows every place. Replacements become unsent changes. */
export function Replace({ articles }: { articles: readonly ArticleFieldsFragment[] }) {
  const { actions, changeView } = useShared();
  const [replacement, setReplacement] = useState('');
  const [without, setWithout] = useState<ReadonlySet<Place>>(new Set());
  const [problems, setProblems] = useState<readonly string[]>([]);
  const searching = useSearch(articles);
  const { search, found, isRunning, isStale, isTooMuch } = searching;
  const kept = found.places.filter((place) => !without.has(place));
  const apply = () => {
    const replaced = replacePlaces(kept, replacement);
    setProblems(replaced.problems);
    if (replaced.problems.length > 0) return;
    actions.edit(replaced.changes, replaced);
    changeView({ tab: 'changes' });
  };
  return (
    <Pane title={`Find and replace in ${counted(articles.length, 'article')}`}>
      <SearchForm
        searching={searching}
        replacement={replacement}
        onReplacement={setReplacement}
        onSubmit={() => {
          setWithout(new Set());
          setProblems([]);
          searching.start();
        }}
      />
      {search.inTexts && (
        <p className={isTooMuch ? 'bar bad' : 'bar hint'}>{isTooMuch ? TOO_MANY_TEXTS : textsCost(articles.length)}</p>
      )}
      <p className="bar" role="status">
        {statusOf(searching, articles.length)}
      </p>
      <Problem text={boundedProblems([...problems, ...found.problems]).join('\n')} />
      <VirtualList label="Places" items={found.places}>
        {(place) => (
          <Check
            label={<PlaceText place={place} replacement={replacement} />}
            checked={!without.has(place)}
            onChange={(isKept) => setWithout(withChoice(without, place, isKept))}
          />
        )}
      </VirtualList>
      <p className="bar foot">
        <Button className="primary" disabled={isRunning || isStale || kept.length === 0} onClick={apply}>
          Replace {counted(kept.length, 'place')}
        </Button>
        <span className="hint">Nothing is sent by this: the changes are shown first.</span>
      </p>
    </Pane>
  );
}

const withChoice = (without: ReadonlySet<Place>, place: Place, isKept: boolean): ReadonlySet<Place> =>
  isKept ? new Set([...without].filter((other) => other !== place)) : new Set([...without, place]);

function PlaceText({ place, replacement }: { place: Place; replacement: string }) {
  const { article, member, text, start, end } = place;
  const from = Math.max(0, start - CONTEXT_CHARS);
  const to = end + CONTEXT_CHARS;
  return (
    <span>
      <strong>{article.title || article.articleId}</strong> {member === 'title' ? 'Title' : 'Text'}: {from > 0 && '…'}
      {text.slice(from, start)}
      <del>{text.slice(start, end)}</del>
      <ins>{replacement}</ins>
      {text.slice(end, to)}
      {to < text.length && '…'}
    </span>
  );
}

interface SearchFormProps {
  searching: Searching;
  replacement: string;
  onReplacement: (replacement: string) => void;
  onSubmit: () => void;
}

function SearchForm({ searching, replacement, onReplacement, onSubmit }: SearchFormProps) {
  const { search, change, isRunning, isTooMuch, stop } = searching;
  return (
    <Form className="bar" onFormSubmit={onSubmit}>
      <TextField ref={focus} label="Find" value={search.text} maxLength={1_000} onChange={(text) => change({ text })} />
      <TextField label="Replace with" value={replacement} maxLength={1_000} onChange={onReplacement} />
      {(['inTitles', 'inTexts', 'matchesCase'] as const).map((name) => (
        <Check
          key={name}
          label={{ inTitles: 'In titles', inTexts: 'In texts', matchesCase: 'Match case' }[name]}
          checked={search[name]}
          onChange={(checked) => change({ [name]: checked })}
        />
      ))}
      <button
        type="submit"
        disabled={search.text === '' || !(search.inTitles || search.inTexts) || isTooMuch || isRunning}
      >
        Find
      </button>
      {isRunning && <Button onClick={stop}>Stop</Button>}
    </Form>
  );
}

/** Runs one search at a time. Its result is stale once there are other changes. */
function useSearch(articles: readonly ArticleFieldsFragment[]) {
  const { api, work } = useShared();
  const { edits } = work;
  const [search, setSearch] = useState<Search>({ text: '', matchesCase: true, inTitles: true, inTexts: false });
  const [found, setFound] = useState<Found>(NOTHING);
  const [searchedEdits, setSearchedEdits] = useState(edits);
  const [runs, setRuns] = useState(0);
  const [isStopped, setIsStopped] = useState(true);
  const { isLoading } = useLast(isStopped ? null : runs, (_run, isWanted) => {
    const onPart = (part: Found) => {
      if (isWanted()) setFound(part);
      return isWanted();
    };
    return findPlaces(api, search, { articles, edits, onPart });
  });
  const start = () => {
    setFound(NOTHING);
    setSearchedEdits(edits);
    setRuns(runs + 1);
    setIsStopped(false);
  };
  const stop = () => setIsStopped(true);
  const change = (members: Partial<Search>) => {
    stop();
    setSearch({ ...search, ...members });
  };
  const isTooMuch = search.inTexts && articles.length > MAX_TEXTS;
  const isRunning = !isStopped && isLoading;
  return { search, change, found, isRunning, isStale: searchedEdits !== edits, isTooMuch, start, stop };
}

type Searching = ReturnType<typeof useSearch>;

function statusOf({ found: { places, searched }, isRunning, isStale }: Searching, total: number): string {
  if (isRunning) return `Searching… ${searched} of ${total}, ${places.length} found`;
  if (searched === 0) return '';
  if (isStale) return 'There are other changes since: find again.';
  const count = `${counted(places.length, 'place')} found in ${searched} of ${total}.`;
  return places.length < MAX_PLACES ? count : `The first ${count} Find again once these are replaced.`;
}
