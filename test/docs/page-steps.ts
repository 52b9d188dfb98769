/** One thing that a page tells its reader to do. */
export type PageStep =
  | { readonly kind: 'operation'; readonly text: string; readonly variables: string; readonly answer: Expected | null }
  | { readonly kind: 'commands'; readonly text: string; readonly answer: Expected | null }
  | { readonly kind: 'file'; readonly text: string; readonly name: string };

interface Expected {
  readonly language: string;
  readonly text: string;
}

interface Block {
  readonly language: string;
  /** The word after the language: the name of a file, or what the block is for. */
  readonly note: string;
  readonly text: string;
}

const BLOCK = /^```(?<language>\w+)(?: (?<note>\S+))?\n(?<text>.*?)^```$/gmsu;

export const blocksOf = (page: string): readonly Block[] =>
  [...page.matchAll(BLOCK)].map(({ groups }) => ({
    language: groups?.['language'] ?? '',
    note: groups?.['note'] ?? '',
    text: groups?.['text'] ?? '',
  }));

const isOperation = ({ language, text }: Block): boolean =>
  language === 'graphql' && /^\s*(?:query|mutation|\{)/u.test(text);

/** The block after an operation or commands is their answer, when it is JSON or text and no file. */
const answerIn = (block: Block | undefined): Expected | null =>
  block !== undefined && ['json', 'text'].includes(block.language) && block.note === '' ? block : null;

/** The operations, commands and files of a page, each with its variables and the answer that the page shows. */
export function stepsOf(page: string): readonly PageStep[] {
  const blocks = blocksOf(page);
  return blocks.flatMap((block, index): readonly PageStep[] => {
    const { language, note, text } = block;
    if (isOperation(block)) {
      const next = blocks[index + 1];
      const hasVariables = next?.note === 'variables';
      const answer = answerIn(hasVariables ? blocks[index + 2] : next);
      return [{ kind: 'operation', text, variables: hasVariables ? next.text : '{}', answer }];
    }
    if (language === 'sh') return [{ kind: 'commands', text, answer: answerIn(blocks[index + 1]) }];
    return note.includes('.') ? [{ kind: 'file', text, name: note }] : [];
  });
}
