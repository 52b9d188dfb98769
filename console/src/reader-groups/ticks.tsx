import { useState } from 'react';
import { Button, Check } from '../parts.tsx';
import { type ScopeItem, scopeKeyOf } from './access-scope.ts';

/** A value to choose, with those in it. */
export interface Option<Value> {
  readonly name: string;
  readonly value: Value;
  readonly children?: readonly Option<Value>[];
}

interface TicksProps<Value> {
  label: string;
  options: readonly Option<Value>[];
  chosen: readonly Value[];
  onChange: (chosen: Value[]) => void;
}

/** Options of so many roots or more have a search. */
const MANY = 8;

/** Options as a tree with ticks and a search. A tick takes all of a branch, each part of which can be unticked alone. */
export function Ticks<Value extends ScopeItem>({ label, options, chosen, onChange }: TicksProps<Value>) {
  const [text, setText] = useState('');
  const name = `Search ${label.toLowerCase()}`;
  const nodes = options.map(nodeOf);
  const shown = nodes.flatMap(matching(text.trim().toLowerCase()));
  const tick = (branch: readonly Value[], isTicked: boolean) => {
    const keys = new Set(branch.map(scopeKeyOf));
    const rest = chosen.filter((value) => !keys.has(scopeKeyOf(value)));
    onChange(isTicked ? [...rest, ...branch] : rest);
  };
  return (
    <div className="boxed stack">
      {nodes.flatMap(({ branch }) => branch).length >= MANY && (
        <input type="search" aria-label={name} placeholder={name} onChange={({ target }) => setText(target.value)} />
      )}
      <ul aria-label={label}>
        {shown.map((node) => (
          <Branch
            key={`${scopeKeyOf(node.value)} ${text}`}
            node={node}
            isSearch={text !== ''}
            ticked={new Set(chosen.map(scopeKeyOf))}
            onTick={tick}
          />
        ))}
      </ul>
      {shown.length === 0 && <p className="hint">{text === '' ? 'There are none.' : 'Nothing matches.'}</p>}
      {chosen.length === 0 && <p className="hint">Choose at least one.</p>}
    </div>
  );
}

interface Node<Value> {
  readonly name: string;
  readonly value: Value;
  readonly children: readonly Node<Value>[];
  /** The value, and all in it, whether a search shows them or not. */
  readonly branch: readonly Value[];
}

function nodeOf<Value>({ name, value, children = [] }: Option<Value>): Node<Value> {
  const nodes = children.map(nodeOf);
  return { name, value, children: nodes, branch: [value, ...nodes.flatMap(({ branch }) => branch)] };
}

/** Nodes with a text in their names, and those above them. */
const matching =
  (text: string) =>
  <Value,>(node: Node<Value>): readonly Node<Value>[] => {
    if (node.name.toLowerCase().includes(text)) return [node];
    const children = node.children.flatMap(matching(text));
    return children.length > 0 ? [{ ...node, children }] : [];
  };

interface BranchProps<Value> {
  node: Node<Value>;
  isSearch: boolean;
  ticked: ReadonlySet<string>;
  onTick: (branch: readonly Value[], isTicked: boolean) => void;
}

function Branch<Value extends ScopeItem>({ node, ...props }: BranchProps<Value>) {
  const { name, children, branch } = node;
  const count = branch.filter((value) => props.ticked.has(scopeKeyOf(value))).length;
  const isMixed = count > 0 && count < branch.length;
  const [isOpen, setIsOpen] = useState(isMixed || props.isSearch);
  return (
    <li>
      <div className="inline">
        {children.length > 0 && (
          <Button className="sign" aria-label={`In ${name}`} aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
            {isOpen ? '▾' : '▸'}
          </Button>
        )}
        <Check
          label={name}
          checked={count === branch.length}
          isMixed={isMixed}
          onChange={() => props.onTick(branch, count < branch.length)}
        />
        {isMixed && <span className="hint">{`${count} of ${branch.length}`}</span>}
      </div>
      {isOpen && (
        <ul className="below" aria-label={`In ${name}`}>
          {children.map((child) => (
            <Branch key={scopeKeyOf(child.value)} node={child} {...props} />
          ))}
        </ul>
      )}
    </li>
  );
}
