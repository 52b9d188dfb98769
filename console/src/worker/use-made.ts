import { useEffect, useState } from 'react';
import { useShared } from '../shared.ts';
import type { Made, Request } from './texts.ts';

/** What the worker makes of a text: the last one until the next one is made, undefined before the first one, and null where it takes too long. */
export function useMade<Of extends Request>(request: Of): Made<Of> | null | undefined {
  const { texts } = useShared();
  const [made, setMade] = useState<Made<Of> | null>();
  const key = JSON.stringify(request);
  useEffect(() => {
    let isWanted = true;
    const wanted: Of = JSON.parse(key);
    void texts.make(wanted, () => isWanted).then((next) => isWanted && setMade(() => next));
    return () => {
      isWanted = false;
    };
  }, [texts, key]);
  return made;
}
