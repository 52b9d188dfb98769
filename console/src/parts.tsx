import { Dialog as BaseDialog } from '@base-ui/react/dialog';
import { Menu as BaseMenu } from '@base-ui/react/menu';
import { Popover as BasePopover } from '@base-ui/react/popover';
import { Toast } from '@base-ui/react/toast';
import { useVirtualizer } from '@tanstack/react-virtual';
import {
  Component,
  type ComponentProps,
  type ComponentType,
  createElement,
  lazy,
  type ReactNode,
  Suspense,
  startTransition,
  useActionState,
  useEffect,
  useRef,
  useState,
} from 'react';
import { useShared } from './shared.ts';
import { fragmentOf, type View } from './view.ts';

/** Scrolls to an element that was just opened, and focuses it. */
export function focus(element: HTMLElement | null): void {
  element?.focus({ preventScroll: true });
  element?.scrollIntoView();
}

/** A button that submits no form. */
export const Button = (props: ComponentProps<'button'>) => <button type="button" {...props} />;

/** A link to the present view with other members. */
export function ViewLink({ to, children }: { to: Partial<View>; children: ReactNode }) {
  const { view } = useShared();
  return <a href={`#${fragmentOf({ ...view, ...to })}`}>{children}</a>;
}

/** The element that holds the views: what opens above them is hidden and inert with them. */
const views = (): HTMLElement | null => document.querySelector('main');

/** Shows that a button opens something. */
const OPENS = <small aria-hidden="true">▾</small>;

interface PopoverProps {
  label: string;
  /** True where its parts go on while it is closed. */
  keepMounted?: boolean;
  children: ReactNode;
}

/** A button that opens something beside it. Escape or a click elsewhere closes it. */
export const Popover = ({ label, keepMounted = false, children }: PopoverProps) => (
  <BasePopover.Root>
    <BasePopover.Trigger>
      {label} {OPENS}
    </BasePopover.Trigger>
    <BasePopover.Portal container={views()} keepMounted={keepMounted}>
      <BasePopover.Positioner className="above" align="start" sideOffset={4}>
        <BasePopover.Popup className="popup" aria-label={label}>
          {children}
        </BasePopover.Popup>
      </BasePopover.Positioner>
    </BasePopover.Portal>
  </BasePopover.Root>
);

interface MenuProps {
  button: ReactNode;
  /** The name of the button, where it shows a sign only. */
  label?: string;
  tabIndex?: number | undefined;
  children: ReactNode;
}

export const Menu = ({ button, label, tabIndex, children }: MenuProps) => (
  <BaseMenu.Root>
    <BaseMenu.Trigger className={label && 'sign'} aria-label={label} tabIndex={tabIndex}>
      {button} {!label && OPENS}
    </BaseMenu.Trigger>
    <BaseMenu.Portal container={views()}>
      <BaseMenu.Positioner className="above" align="start" sideOffset={4}>
        <BaseMenu.Popup className="popup menu">{children}</BaseMenu.Popup>
      </BaseMenu.Positioner>
    </BaseMenu.Portal>
  </BaseMenu.Root>
);

export const MenuItem = (props: BaseMenu.Item.Props) => <BaseMenu.Item className="item" {...props} />;

export const MenuRule = () => <BaseMenu.Separator className="rule" />;

interface DialogProps {
  title: ReactNode;
  /** Called when Escape or a click elsewhere closes it. */
  onClose: () => void;
  /** What is below the content, such as its buttons. */
  buttons?: ReactNode;
  children?: ReactNode;
}

/** A dialog that keeps the focus while it is rendered, and gives it back. */
export const Dialog = ({ title, onClose, buttons, children }: DialogProps) => (
  <BaseDialog.Root open onOpenChange={(isOpen) => isOpen || onClose()}>
    <BaseDialog.Portal container={views()}>
      <BaseDialog.Backdrop className="backdrop" />
      <BaseDialog.Popup className="popup dialog">
        <BaseDialog.Title>{title}</BaseDialog.Title>
        {children}
        <div className="inline push">{buttons}</div>
      </BaseDialog.Popup>
    </BaseDialog.Portal>
  </BaseDialog.Root>
);

interface Question {
  readonly text: string;
  readonly yes: string;
  readonly resolve: (isYes: boolean) => void;
}

/** A dialog to render, and a function that asks a question in it and resolves to whether the answer is yes. */
export function useQuestion() {
  const [question, setQuestion] = useState<Question | null>(null);
  const ask = (text: string, yes: string): Promise<boolean> =>
    new Promise((resolve) => setQuestion({ text, yes, resolve }));
  const answer = (isYes: boolean) => {
    question?.resolve(isYes);
    setQuestion(null);
  };
  const buttons = question && (
    <>
      <Button onClick={() => answer(false)}>Back</Button>
      <Button className="primary" onClick={() => answer(true)}>
        {question.yes}
      </Button>
    </>
  );
  const dialog = question && <Dialog title={question.text} onClose={() => answer(false)} buttons={buttons} />;
  return { dialog, ask };
}

/** What is around all that shows messages at the edge of the page. */
export const Toasts = ({ children }: { children: ReactNode }) => (
  <Toast.Provider>
    {children}
    <Toast.Viewport className="toasts">
      <ToastList />
    </Toast.Viewport>
  </Toast.Provider>
);

const ToastList = () =>
  Toast.useToastManager().toasts.map((toast) => (
    <Toast.Root key={toast.id} toast={toast} className="popup" swipeDirection="right">
      <Toast.Content className="inline apart">
        <Toast.Description />
        {toast.actionProps && <Toast.Action />}
        <Toast.Close className="sign" aria-label="Dismiss">
          ✕
        </Toast.Close>
      </Toast.Content>
    </Toast.Root>
  ));

/** A function that shows a message at the edge of the page for a few seconds. */
export function useSay(): (description: string, actionProps?: ComponentProps<'button'>) => void {
  const { add } = Toast.useToastManager();
  return (description, actionProps) => void add({ description, ...(actionProps && { actionProps }) });
}

/** Shows a message at the edge of the page as long as there is one. Another list of the same lines is another message. */
export function useNotice(notice: string | readonly string[] | null): void {
  const { add, close } = Toast.useToastManager();
  useEffect(() => {
    const description = typeof notice === 'string' ? notice : notice?.join('\n');
    if (!description) return;
    const id = add({ description, timeout: 0, priority: 'high' });
    return () => close(id);
  }, [notice, add, close]);
}

interface TextFieldProps extends Omit<ComponentProps<'input'>, 'onChange'> {
  label: string;
  onChange: (text: string) => void;
}

export const TextField = ({ label, onChange, ...props }: TextFieldProps) => (
  <label>
    {label}
    <input {...props} onChange={({ target }) => onChange(target.value)} />
  </label>
);

export const SearchField = ({ label, onChange, ...props }: TextFieldProps) => (
  <input
    type="search"
    aria-label={label}
    placeholder={label}
    {...props}
    onChange={({ target }) => onChange(target.value)}
  />
);

interface CheckProps {
  label: ReactNode;
  checked: boolean;
  /** True where only a part of it is checked. */
  isMixed?: boolean;
  onChange: (checked: boolean) => void;
}

export function Check({ label, checked, isMixed = false, onChange }: CheckProps) {
  const mix = (box: HTMLInputElement | null) => {
    if (box) box.indeterminate = isMixed;
  };
  return (
    <label>
      <input ref={mix} type="checkbox" checked={checked} onChange={({ target }) => onChange(target.checked)} /> {label}
    </label>
  );
}

interface ChoiceProps<Value extends string> {
  label: string;
  value: string;
  options: readonly (readonly [value: Value, name: string])[];
  /** The text that is shown until something is chosen. */
  placeholder?: string;
  disabled?: boolean;
  onChange: (value: Value) => void;
}

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

/** A problem, or several in lines of their own, with a button where trying again may help. Shows nothing without a problem. */
export function Problem({ text, again, onAgain }: { text: string | null; again?: string; onAgain?: () => void }) {
  if (!text) return null;
  return (
    <p className="bar bad" role="alert">
      {text}
      {onAgain && <Button onClick={onAgain}>{again ?? 'Try again'}</Button>}
    </p>
  );
}

interface ViewProps {
  title: string;
  beside?: ReactNode;
  children: ReactNode;
}

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
  const [problem, start, isSending] = useActionState(send, null);
  return (
    <>
      <Button className="primary" disabled={!isReady || isSending} onClick={() => startTransition(start)}>
        {problem === null ? label : 'Try again'}
      </Button>
      <span role="status">{isSending && 'Sending…'}</span>
      <Problem text={problem && `${problem} Trying again is safe: nothing is done twice.`} />
    </>
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

/** A part of the page that is loaded when it is first shown. Where loading fails, the rest of the page remains. */
export function lazyPart<Props extends object>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  const Part = lazy(async () => ({ default: await load() }));
  return (props) => (
    <Boundary>
      <Suspense fallback={<p className="bar">Loading…</p>}>{createElement(Part, props)}</Suspense>
    </Boundary>
  );
}

class Boundary extends Component<{ children: ReactNode }, { readonly hasFailed: boolean }> {
  static getDerivedStateFromError = () => ({ hasFailed: true });

  override state = { hasFailed: false };

  override render() {
    if (!this.state.hasFailed) return this.props.children;
    return (
      <p className="bar bad" role="alert">
        This part of the page cannot be loaded. Send your changes, then load the page again.
      </p>
    );
  }
}
