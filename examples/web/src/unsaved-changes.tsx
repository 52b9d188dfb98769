import { createContext, type ReactNode, useContext, useEffect, useId, useMemo } from 'react';

interface UnsavedChanges {
  mark(id: string, isUnsaved: boolean): void;
  /** Asks before unsaved changes are lost. */
  mayDiscard(): boolean;
}

const Context = createContext<UnsavedChanges>({ mark: () => {}, mayDiscard: () => true });

/** Keeps which parts of the page have unsaved changes. The browser asks before the page is closed or reloaded. */
export function UnsavedChangesProvider({ children }: { children: ReactNode }) {
  const unsaved = useMemo(() => new Set<string>(), []);
  const changes = useMemo<UnsavedChanges>(
    () => ({
      mark: (id, isUnsaved) => (isUnsaved ? unsaved.add(id) : unsaved.delete(id)),
      mayDiscard: () => unsaved.size === 0 || confirm('Discard your unsaved changes?'),
    }),
    [unsaved],
  );
  useEffect(() => {
    const warn = (event: BeforeUnloadEvent) => {
      if (unsaved.size > 0) event.preventDefault();
    };
    addEventListener('beforeunload', warn);
    return () => removeEventListener('beforeunload', warn);
  }, [unsaved]);
  return <Context value={changes}>{children}</Context>;
}

/** Marks the calling component as having unsaved changes while `isUnsaved` is true and it is shown. */
export function useUnsaved(isUnsaved: boolean): void {
  const { mark } = useContext(Context);
  const id = useId();
  useEffect(() => {
    mark(id, isUnsaved);
    return () => mark(id, false);
  }, [mark, id, isUnsaved]);
}

export const useMayDiscard = () => useContext(Context).mayDiscard;
