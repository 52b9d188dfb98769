import { Form } from '@base-ui/react/form';
import { useState } from 'react';
import { Button, Dialog, Menu, MenuItem, MenuRule, TextField, useSay } from '../parts.tsx';
import { useShared } from '../shared.ts';
import { fragmentOf, type View, viewOf } from '../view.ts';

const VIEWS = 'kb-gateway views';

/** The fragments of the views by their names, which this browser keeps, since the gateway keeps none. */
function keptViews(): Map<string, string> {
  try {
    return new Map(Object.entries(JSON.parse(localStorage.getItem(VIEWS) ?? '{}')));
  } catch {
    return new Map();
  }
}

/** What a view with a name keeps: the filters, the order and the columns, and which articles of which version. */
const partsOf = (view: View, name: string): string => fragmentOf({ ...view, tab: 'articles', name });

function useNamedViews() {
  const [views, setViews] = useState(keptViews);
  /** Keeps a view, and forgets another one. What another tab has kept meanwhile stays. */
  const put = (name: string | null, fragment: string, forgotten?: string) => {
    const next = keptViews();
    if (forgotten !== undefined) next.delete(forgotten);
    if (name !== null) next.set(name, fragment);
    setViews(next);
    try {
      localStorage.setItem(VIEWS, JSON.stringify(Object.fromEntries(next)));
    } catch {
      // The storage of the browser is full, or not allowed: the views are gone after a reload.
    }
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
      <Form id="view-name" onFormSubmit={() => next !== '' && onName(next)}>
        <TextField label="Name" value={text} maxLength={60} onChange={setText} />
        <p role="status">{taken.includes(next) && 'There is a view of this name: it is replaced.'}</p>
      </Form>
    </Dialog>
  );
}
