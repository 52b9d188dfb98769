import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { html } from '@codemirror/lang-html';
import { markdown, markdownLanguage } from '@codemirror/lang-markdown';
import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import {
  Compartment,
  EditorSelection,
  EditorState,
  type Extension,
  type StateCommand,
  type Text,
  Transaction,
} from '@codemirror/state';
import { EditorView, keymap } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { useEffect, useEffectEvent, useMemo, useRef } from 'react';
import { Button } from '../parts.tsx';

type Format = 'markdown' | 'html';

/** The texts before and after what is marked, by the keys that mark it. */
const MARKS = {
  markdown: [
    { name: 'Bold', key: 'Mod-b', before: '**', after: '**' },
    { name: 'Italic', key: 'Mod-i', before: '_', after: '_' },
    { name: 'Link', key: 'Mod-k', before: '[', after: '](https://)' },
  ],
  html: [
    { name: 'Bold', key: 'Mod-b', before: '<strong>', after: '</strong>' },
    { name: 'Italic', key: 'Mod-i', before: '<em>', after: '</em>' },
    { name: 'Link', key: 'Mod-k', before: '<a href="https://">', after: '</a>' },
  ],
} as const;

type Mark = (typeof MARKS)[Format][number];

/** Puts a mark around each selection, or takes it off where it is there. */
const toggle =
  ({ before, after }: Mark): StateCommand =>
  ({ state, dispatch }) => {
    if (state.readOnly) return false;
    const change = state.changeByRange(({ from, to, anchor, head }) => {
      const outer = { from: Math.max(0, from - before.length), to: Math.min(state.doc.length, to + after.length) };
      const isMarked = state.sliceDoc(outer.from, from) === before && state.sliceDoc(to, outer.to) === after;
      const by = isMarked ? -before.length : before.length;
      const changes = isMarked
        ? [
            { from: outer.from, to: from },
            { from: to, to: outer.to },
          ]
        : [
            { from, insert: before },
            { from: to, insert: after },
          ];
      return { changes, range: EditorSelection.range(anchor + by, head + by) };
    });
    dispatch(state.update(change, { userEvent: 'input', scrollIntoView: true }));
    return true;
  };

/** The colours are tokens of the page, which its shadow root inherits. */
const HIGHLIGHT = HighlightStyle.define([
  { tag: [tags.heading, tags.strong], fontWeight: '700' },
  { tag: tags.emphasis, fontStyle: 'italic' },
  { tag: [tags.link, tags.url, tags.tagName], color: 'var(--accent)' },
  { tag: [tags.processingInstruction, tags.angleBracket, tags.attributeName, tags.comment], color: 'var(--faint)' },
  { tag: [tags.monospace, tags.attributeValue], color: 'var(--good)' },
]);

const THEME = EditorView.theme({
  '&': { height: '100%', color: 'var(--ink)', backgroundColor: 'var(--raised)' },
  '&.cm-focused': { outline: '2px solid var(--accent)' },
  '.cm-scroller': { fontFamily: 'ui-monospace, monospace', fontSize: 'var(--small)' },
  '.cm-content': { caretColor: 'var(--ink)' },
});

/** Longer paragraphs have no colours: the time that emphasis takes grows with the square of their characters. */
const MOST_PARAGRAPH_CHARS = 5_000;

function hasLongParagraph(text: Text): boolean {
  let chars = 0;
  for (const line of text.iterLines()) {
    chars = line.trim() === '' ? 0 : chars + line.length;
    if (chars > MOST_PARAGRAPH_CHARS) return true;
  }
  return false;
}

/** The language of a text, which is left out as soon as a paragraph is too long for it. */
function languageOf(format: Format, text: Text): Extension {
  if (format === 'html') return html();
  const language = new Compartment();
  return [
    language.of(hasLongParagraph(text) ? [] : markdown({ base: markdownLanguage })),
    EditorState.transactionExtender.of(({ docChanged, newDoc }) =>
      docChanged && hasLongParagraph(newDoc) ? { effects: language.reconfigure([]) } : null,
    ),
  ];
}

/** Types over a selection, where the browser would put inline styles, which the page's policy refuses. */
const TYPING = EditorView.domEventHandlers({
  beforeinput: ({ inputType, data }, view) => {
    const { state, composing } = view;
    const isTyped = inputType === 'insertText' && !composing && !state.readOnly && !state.selection.main.empty;
    if (isTyped) view.dispatch(state.replaceSelection(data ?? ''), { userEvent: 'input.type' });
    return isTyped;
  },
});

interface TextEditorProps {
  label: string;
  format: Format;
  /** The code of the language that the text is in. */
  lang: string;
  isReadOnly: boolean;
  text: string;
  onChange: (text: string) => void;
}

/** An editor for Markdown or HTML. In a shadow root its styles need no inline style, which the page's policy refuses. */
export function TextEditor(props: TextEditorProps) {
  const { host, view } = useEditor(props);
  const run = (mark: Mark) => {
    if (view.current) toggle(mark)(view.current);
    view.current?.focus();
  };
  return (
    <div className="stack">
      {!props.isReadOnly && (
        <div className="inline">
          {MARKS[props.format].map((mark) => (
            <Button key={mark.name} title={mark.key.replace('Mod-', 'Ctrl ').toUpperCase()} onClick={() => run(mark)}>
              {mark.name}
            </Button>
          ))}
        </div>
      )}
      <div className="text-editor" ref={host} />
    </div>
  );
}

const extensionsOf = ({ label, format, lang, isReadOnly }: Omit<TextEditorProps, 'text' | 'onChange'>): Extension => [
  keymap.of(MARKS[format].map((mark) => ({ key: mark.key, run: toggle(mark) }))),
  history(),
  keymap.of([...historyKeymap, ...defaultKeymap]),
  syntaxHighlighting(HIGHLIGHT),
  THEME,
  TYPING,
  EditorView.lineWrapping,
  EditorState.readOnly.of(isReadOnly),
  EditorView.contentAttributes.of({ 'aria-label': label, lang, dir: 'auto', spellcheck: 'true' }),
];

/** The editor in its element, made anew for another label, format or language. Line ends stay those of the text. */
function useEditor({ label, format, lang, isReadOnly, text, onChange }: TextEditorProps) {
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(null);
  const own = useMemo(() => extensionsOf({ label, format, lang, isReadOnly }), [label, format, lang, isReadOnly]);
  /** What was typed and has not come back as the text yet. */
  const typed = useRef<string[]>([]);
  const textNow = useEffectEvent(() => text);
  const take = useEffectEvent((doc: Text) => {
    const changed = doc.toString().replaceAll('\n', text.includes('\r\n') ? '\r\n' : '\n');
    typed.current.push(changed);
    onChange(changed);
  });
  useEffect(() => {
    if (host.current === null) return;
    const root = host.current.shadowRoot ?? host.current.attachShadow({ mode: 'open' });
    const { doc } = EditorState.create({ doc: textNow() });
    const listener = EditorView.updateListener.of(({ docChanged, state, transactions }) => {
      if (docChanged && !transactions.some((one) => one.annotation(Transaction.remote))) take(state.doc);
    });
    const extensions = [own, languageOf(format, doc), listener];
    const editor = new EditorView({ parent: root, root, state: EditorState.create({ doc, extensions }) });
    view.current = editor;
    return () => editor.destroy();
  }, [own, format]);
  useEffect(() => {
    const { current } = view;
    const at = typed.current.lastIndexOf(text);
    typed.current.splice(0, at + 1);
    const insert = text.replaceAll('\r\n', '\n');
    if (at >= 0 || current === null || current.state.doc.toString() === insert) return;
    const changes = { from: 0, to: current.state.doc.length, insert };
    current.dispatch({ changes, annotations: Transaction.remote.of(true) });
  }, [text]);
  return { host, view };
}
