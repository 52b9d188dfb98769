import { VirtualList } from '../parts.tsx';
import type { Place } from './places.ts';

/** Characters that are shown before and behind a place. */
const CONTEXT_CHARS = 60;

interface PlaceListProps {
  places: readonly Place[];
  without: ReadonlySet<Place>;
  replacement: string;
  onToggle: (place: Place) => void;
}

/** Every place, old beside new. */
export function PlaceList({ places, without, replacement, onToggle }: PlaceListProps) {
  return (
    <VirtualList label="Places" items={places}>
      {(place) => (
        <label>
          <input type="checkbox" checked={!without.has(place)} onChange={() => onToggle(place)} />{' '}
          <strong>{place.article.title ?? place.article.articleId}</strong>{' '}
          {place.member === 'title' ? 'Title' : 'Text'}: <PlaceText place={place} replacement={replacement} />
        </label>
      )}
    </VirtualList>
  );
}

function PlaceText({ place: { text, start, end }, replacement }: { place: Place; replacement: string }) {
  const from = Math.max(0, start - CONTEXT_CHARS);
  const to = end + CONTEXT_CHARS;
  return (
    <span>
      {from > 0 && '…'}
      {text.slice(from, start)}
      <del>{text.slice(start, end)}</del>
      <ins>{replacement}</ins>
      {text.slice(end, to)}
      {to < text.length && '…'}
    </span>
  );
}
