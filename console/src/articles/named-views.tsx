import { type SubmitEvent, useState } from 'react';
import { keep, readKept } from '../kept.ts';
import { Button, Dialog, Menu, MenuItem, MenuRule, TextField, useSay } from '../parts.tsx';
import { useShared } from '../shared.ts';
import { fragmentOf, type View, viewOf } from '../view.ts';

/** The fragments of the views by their names. */
const VIEWS = 'kb-gateway views';
const MOST_VIEWS = 100;

/** What a view with a name keeps: the filters, the order and the columns, and which articles of which version. */
const partsOf = (view: View, name: string): string => fragmentOf({ ...view, tab: 'articles', name });

function useNamedViews() {
  const [views, setViews] = useState(() => new Map(Object.entries(readKept(VIEWS))));
  /** Keeps a view, and forgets another one. What another tab has kept meanwhile stays. */
  const put = (name: string | null, fragment: string, forgotten?: string) => {
    const next = new Map(Object.entries(readKept(VIEWS)));
    if (forgotten !== undefined) next.delete(forgotten);
    if (name !== null) next.set(name, fragment);
    keep(VIEWS, Object.fromEntries(next), MOST_VIEWS);
    setViews(next);
  };
  return { views, put };
}

/** Chooses, saves, renames and deletes views with names, which this browser keeps. The address has all of a view, for others. */
export function NamedViews() {
  const { view, changeView } = useShared();
  const { views, put } = useNamedViews();
  const [naming, setNaming] = useState<'save' | 'rename' | null>(null);
  const say = useSay();
  const { name } = view;
  const now = partsOf(view, name);
  const kept = views.get(name);
  const isChanged = kept !== undefined && kept !== now;
  const finish = (next: string) => {
    if (naming === 'rename') put(next, partsOf(viewOf(kept ?? now), next), name);
    else put(next, partsOf(view, next));
    changeView({ name: next });
    setNaming(null);
  };
  const forget = () => {
    put(null, '', name);
    changeView({ name: '' });
    say(`The view “${name}” is deleted.`, { children: 'Undo', onClick: () => put(name, kept ?? now) });
  };
  return (
    <>
      <Menu button={name === '' ? 'Views' : `View: ${name}${isChanged ? ', changed' : ''}`}>
        {[...views].map(([other, fragment]) => (
          <MenuItem key={other} aria-current={other === name} onClick={() => changeView(viewOf(fragment))}>
            {other}
          </MenuItem>
        ))}
        {views.size > 0 && <MenuRule />}
        {isChanged && <MenuItem onClick={() => put(name, now)}>Save the changes of “{name}”</MenuItem>}
        <MenuItem onClick={() => setNaming('save')}>Save as a view…</MenuItem>
        {kept !== undefined && <MenuItem onClick={() => setNaming('rename')}>Rename “{name}”…</MenuItem>}
        {kept !== undefined && <MenuItem onClick={forget}>Delete “{name}”</MenuItem>}
        {name !== '' && <MenuItem onClick={() => changeView({ ...viewOf(''), tab: 'articles' })}>No view</MenuItem>}
      </Menu>
      {naming && (
        <NameDialog
          title={naming === 'save' ? 'Save as a view' : `Rename “${name}”`}
          name={name}
          taken={[...views.keys()].filter((other) => naming === 'save' || other !== name)}
          onName={finish}
          onClose={() => setNaming(null)}
        />
      )}
    </>
  );
}

interface NameDialogProps {
  title: string;
  name: string;
  /** The names of views that a view of the same name would replace. */
  taken: readonly string[];
  onName: (name: string) => void;
  onClose: () => void;
}

function NameDialog({ title, name, taken, onName, onClose }: NameDialogProps) {
  const [text, setText] = useState(name);
  const next = text.trim();
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (next !== '') onName(next);
  };
  const buttons = (
    <>
      <Button onClick={onClose}>Back</Button>
      <button type="submit" form="view-name" className="primary" disabled={next === ''}>
        {taken.includes(next) ? 'Replace' : 'Save'}
      </button>
    </>
  );
  return (
    <Dialog title={title} onClose={onClose} buttons={buttons}>
      <form id="view-name" onSubmit={submit}>
        <TextField label="Name" value={text} maxLength={60} onChange={setText} />
        <p role="status">{taken.includes(next) && 'There is a view of this name: it is replaced.'}</p>
      </form>
    </Dialog>
  );
}
