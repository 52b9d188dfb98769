import { useState } from 'react';
import { Button, Check, SearchField } from '../parts.tsx';
import { keyOf, type ScopeItem, without } from './access-scope.ts';

/** An item to choose, with those in it. */
export interface Option extends ScopeItem {
  readonly children?: readonly Option[];
}

export const branchOf = (option: Option): readonly Option[] => [option, ...(option.children ?? []).flatMap(branchOf)];

interface TicksProps {
  label: string;
  options: readonly Option[];
  chosen: readonly ScopeItem[];
  onChange: (chosen: readonly ScopeItem[]) => void;
}

/** Options of so many roots or more have a search. */
const MANY = 8;

/** Options as a tree with ticks and a search. A tick takes all of a branch, each part of which can be unticked alone. */
export function Ticks({ label, options, chosen, onChange }: TicksProps) {
  const [text, setText] = useState('');
  const shown = nodesOf(options, text.trim().toLowerCase());
  const tick = (branch: readonly Option[], isTicked: boolean) => {
    const rest = without(chosen, branch);
    onChange(isTicked ? [...rest, ...branch] : rest);
  };
  return (
    <div className="boxed stack">
      {options.flatMap(branchOf).length >= MANY && (
        <SearchField label={`Search ${label.toLowerCase()}`} onChange={setText} />
      )}
      <ul aria-label={label}>
        {shown.map((node) => (
          <Branch
            key={`${keyOf(node.option)} ${text}`}
            node={node}
            isSearch={text !== ''}
            ticked={new Set(chosen.map(keyOf))}
            onTick={tick}
          />
        ))}
      </ul>
      {shown.length === 0 && <p className="hint">{text === '' ? 'There are none.' : 'Nothing matches.'}</p>}
      {chosen.length === 0 && <p className="hint">Choose at least one.</p>}
    </div>
  );
}

interface Node {
  readonly option: Option;
  /** Those in it that a search shows. */
  readonly nodes: readonly Node[];
}

/** Options with a text in their names, and those above them. */
const nodesOf = (options: readonly Option[], text: string): readonly Node[] =>
  options.flatMap((option) => {
    const isFound = option.name.toLowerCase().includes(text);
    const nodes = nodesOf(option.children ?? [], isFound ? '' : text);
    return isFound || nodes.length > 0 ? [{ option, nodes }] : [];
  });

interface BranchProps {
  node: Node;
  isSearch: boolean;
  ticked: ReadonlySet<string>;
  onTick: (branch: readonly Option[], isTicked: boolean) => void;
}

function Branch({ node: { option, nodes }, ...props }: BranchProps) {
  const { name } = option;
  const branch = branchOf(option);
  const count = branch.filter((one) => props.ticked.has(keyOf(one))).length;
  const isMixed = count > 0 && count < branch.length;
  const [isOpen, setIsOpen] = useState(isMixed || props.isSearch);
  return (
    <li>
      <div className="inline">
        {nodes.length > 0 && (
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
          {nodes.map((child) => (
            <Branch key={keyOf(child.option)} node={child} {...props} />
          ))}
        </ul>
      )}
    </li>
  );
}
