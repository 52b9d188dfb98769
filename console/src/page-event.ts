import { useEffect, useEffectEvent } from 'react';

/** Calls a function for each event of a type that reaches the window, while what uses it is in the page. */
export function usePageEvent<Type extends keyof WindowEventMap>(
  type: Type,
  onEvent: (event: WindowEventMap[Type]) => void,
): void {
  const handle = useEffectEvent(onEvent);
  useEffect(() => {
    const listener = (event: WindowEventMap[Type]) => handle(event);
    addEventListener(type, listener);
    return () => removeEventListener(type, listener);
  }, [type]);
}
