import { useVirtualizer } from '@tanstack/react-virtual';
import { type ComponentProps, type ReactNode, useId, useRef, useState } from 'react';

/** Scrolls to an element that was just opened, and focuses it. */
export function focus(element: HTMLElement | null): void {
  element?.focus({ preventScroll: true });
  element?.scrollIntoView();
}

/** A button that submits no form. */
export const Button = (props: ComponentProps<'button'>) => <button type="button" {...props} />;

interface PopoverProps {
  label: string;
  children: ReactNode;
}

/** A button that opens something beside it. Escape or a click elsewhere closes it. */
export function Popover({ label, children }: PopoverProps) {
  const id = useId();
  return (
    <>
      <button type="button" popoverTarget={id}>
        {label}
      </button>
      <fieldset id={id} popover="auto" className="popover" aria-label={label}>
        {children}
      </fieldset>
    </>
  );
}

interface CheckProps {
  label: ReactNode;
  checked: boolean;
  /** True where only a part of it is checked. */
  isMixed?: boolean;
  onChange: (checked: boolean) => void;
}

export const Check = ({ label, checked, isMixed = false, onChange }: CheckProps) => (
  <label>
    <input
      type="checkbox"
      ref={(input) => {
        if (input) input.indeterminate = isMixed;
      }}
      checked={checked}
      onChange={({ target }) => onChange(target.checked)}
    />{' '}
    {label}
  </label>
);

interface ChoiceProps<Value extends string> {
  label: string;
  value: string;
  options: readonly (readonly [value: Value, name: string])[];
  /** The text that is shown until something is chosen. */
  placeholder?: string;
  disabled?: boolean;
  onChange: (value: Value) => void;
}

/** One of several values. */
export function Choice<Value extends string>({ label, options, placeholder, onChange, ...props }: ChoiceProps<Value>) {
  const choose = (chosen: string) => {
    const option = options.find(([value]) => value === chosen);
    if (option) onChange(option[0]);
  };
  return (
    <label>
      {label}
      <select {...props} onChange={({ target }) => choose(target.value)}>
        {placeholder !== undefined && (
          <option value="" disabled>
            {placeholder}
          </option>
        )}
        {options.map(([value, name]) => (
          <option key={value} value={value}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}

/** A problem, with a button where trying again may help. Shows nothing without a problem. */
export function Problem({ text, again, onAgain }: { text: string | null; again?: string; onAgain?: () => void }) {
  if (text === null) return null;
  return (
    <p className="bar bad" role="alert">
      {text}
      {onAgain && <Button onClick={onAgain}>{again ?? 'Try again'}</Button>}
    </p>
  );
}

interface ViewProps {
  title: string;
  /** Content next to the title. */
  beside?: ReactNode;
  children: ReactNode;
}

/** A view of the page under its title. */
export function Pane({ title, beside, children }: ViewProps) {
  return (
    <section className="column" aria-label={title}>
      <div className="bar">
        <h2>{title}</h2>
        {beside}
      </div>
      {children}
    </section>
  );
}

interface SendButtonProps {
  label: string;
  isReady: boolean;
  /** Resolves to the reason where the request may not have arrived. It may be called again then. */
  send: () => Promise<string | null>;
}

/** A button that writes. A repeated request has the same key, so that it takes effect once. */
export function SendButton({ label, isReady, send }: SendButtonProps) {
  const [problem, setProblem] = useState<string | null>(null);
  const [isSending, setIsSending] = useState(false);
  const start = async () => {
    setIsSending(true);
    setProblem(null);
    setProblem(await send());
    setIsSending(false);
  };
  return (
    <>
      <Button className="primary" disabled={!isReady || isSending} onClick={start}>
        {problem === null ? label : 'Try again'}
      </Button>
      <span role="status">{isSending && 'Sending…'}</span>
      <Problem text={problem && `${problem} Trying again is safe: nothing is done twice.`} />
    </>
  );
}

/** The problems of an entry, a paste or a file. */
export function Problems({ texts }: { texts: readonly string[] }) {
  return (
    <div role="alert">
      <ul className="bar bad" aria-label="Problems">
        {texts.map((text) => (
          <li key={text}>{text}</li>
        ))}
      </ul>
    </div>
  );
}

interface VirtualListProps<Item> {
  label: string;
  items: readonly Item[];
  keyOf?: (item: Item) => string;
  children: (item: Item) => ReactNode;
}

const ESTIMATED_PIXELS = 64;

/** A list of any length, of which only the visible part is rendered. */
export function VirtualList<Item>({ label, items, keyOf, children }: VirtualListProps<Item>) {
  const scroll = useRef<HTMLDivElement>(null);
  const virtualizer = useVirtualizer({
    count: items.length,
    getScrollElement: () => scroll.current,
    estimateSize: () => ESTIMATED_PIXELS,
    getItemKey: (index) => {
      const item = items[index];
      return keyOf && item !== undefined ? keyOf(item) : index;
    },
    overscan: 5,
  });
  return (
    <div className="scroll" ref={scroll}>
      <ul className="virtual" aria-label={label} style={{ height: virtualizer.getTotalSize() }}>
        {virtualizer.getVirtualItems().map(({ key, index, start }) => {
          const item = items[index];
          return (
            item !== undefined && (
              <li
                key={key}
                data-index={index}
                ref={virtualizer.measureElement}
                aria-setsize={items.length}
                aria-posinset={index + 1}
                style={{ transform: `translateY(${start}px)` }}
              >
                {children(item)}
              </li>
            )
          );
        })}
      </ul>
    </div>
  );
}
