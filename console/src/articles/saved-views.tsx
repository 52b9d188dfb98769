import { type SubmitEvent, useState } from 'react';
import { Button, Popover } from '../parts.tsx';
import { useShared } from '../shared.ts';
import { fragmentOf, viewOf } from '../view.ts';

const STORED = 'kb-gateway-console-views';

type Saved = Readonly<Record<string, string>>;

/** Reads the fragments of the views that this browser keeps, by their names. What is not readable is none. */
function readSaved(): Saved {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(STORED) ?? '{}');
    const entries = Object.entries(Object(stored)).filter(
      (entry): entry is [string, string] => typeof entry[1] === 'string',
    );
    return Object.fromEntries(entries);
  } catch {
    return {};
  }
}

/** Returns a problem where the browser keeps nothing. */
function writeSaved(saved: Saved): string {
  try {
    localStorage.setItem(STORED, JSON.stringify(saved));
    return '';
  } catch {
    return 'This browser keeps no views for this page. The address has this one.';
  }
}

/** The views that have a name: filters, order and columns. They are kept in this browser, and each stands in the address. */
export function SavedViews() {
  const { view, changeView } = useShared();
  const [saved, setSaved] = useState(readSaved);
  const [problem, setProblem] = useState('');
  const names = Object.keys(saved).sort((one, other) => one.localeCompare(other));
  const store = (next: Saved) => {
    setProblem(writeSaved(next));
    setSaved(next);
  };
  const save = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const name = String(new FormData(event.currentTarget).get('name') ?? '').trim();
    if (name === '') return;
    store({ ...readSaved(), [name]: fragmentOf({ ...view, tab: 'articles', name }) });
    changeView({ name });
  };
  const remove = (name: string) => {
    const { [name]: _removed, ...others } = readSaved();
    store(others);
    if (view.name === name) changeView({ name: '' });
  };
  const open = (fragment: string) => changeView(viewOf(fragment));
  return (
    <Popover label={view.name === '' ? 'Views' : `View: ${view.name}`}>
      <ul aria-label="Saved views">
        {names.length === 0 && <li className="hint">No view is saved in this browser yet.</li>}
        {names.map((name) => (
          <li key={name} className="inline">
            <Button aria-current={view.name === name} onClick={() => open(saved[name] ?? '')}>
              {name}
            </Button>
            <Button aria-label={`Delete the view ${name}`} onClick={() => remove(name)}>
              Delete
            </Button>
          </li>
        ))}
      </ul>
      <form className="inline" onSubmit={save}>
        <label>
          Name
          <input name="name" maxLength={60} required defaultValue={view.name} />
        </label>
        <button type="submit">Save this view</button>
        <Button onClick={() => open('')}>Reset</Button>
      </form>
      <p role="status" className="bad">
        {problem}
      </p>
    </Popover>
  );
}
