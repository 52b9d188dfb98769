import { useVirtualizer } from '@tanstack/react-virtual';
import { useRef } from 'react';
import type { Place } from './places.ts';

const ESTIMATED_PIXELS = 64;

/** Characters that are shown before and behind a place. */
const CONTEXT_CHARS = 60;

interface PlaceListProps {
  places: readonly Place[];
  without: ReadonlySet<Place>;
  replacement: string;
  onToggle: (place: Place) => void;
}

/** Every place, old beside new. Those in sight are rendered. */
export function PlaceList({ places, without, replacement, onToggle }: PlaceListProps) {
  const scroll = useRef<HTMLDivElement>(null);
  const virtualizer = useVirtualizer({
    count: places.length,
    getScrollElement: () => scroll.current,
    estimateSize: () => ESTIMATED_PIXELS,
    overscan: 5,
  });
  return (
    <div className="list" ref={scroll}>
      <ul className="virtual" aria-label="Places" style={{ height: virtualizer.getTotalSize() }}>
        {virtualizer.getVirtualItems().map(({ key, index, start }) => {
          const place = places[index];
          return (
            place && (
              <li
                key={key}
                data-index={index}
                ref={virtualizer.measureElement}
                aria-setsize={places.length}
                aria-posinset={index + 1}
                style={{ transform: `translateY(${start}px)` }}
              >
                <label>
                  <input type="checkbox" checked={!without.has(place)} onChange={() => onToggle(place)} />{' '}
                  <strong>{place.article.title ?? place.article.articleId}</strong>{' '}
                  {place.member === 'title' ? 'Title' : 'Text'}: <PlaceText place={place} replacement={replacement} />
                </label>
              </li>
            )
          );
        })}
      </ul>
    </div>
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
