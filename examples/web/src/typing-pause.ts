import { useEffect, useState } from 'react';

const TYPING_PAUSE_MS = 300;

/** The text as it was at the last pause in typing: a search may be a call to the service. */
export function useTypingPause(text: string): string {
  const [searched, setSearched] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSearched(text), TYPING_PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return searched;
}
