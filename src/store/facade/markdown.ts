import { readFile } from 'node:fs/promises';

/** Renders Markdown as HTML in time that is linear in its length. HTML within it is kept, as Markdown means it. */
export type RenderMarkdown = (text: string) => Promise<string>;

/** The renderer is loaded with the first text. */
export function createMarkdownRenderer(): RenderMarkdown {
  let loading: ReturnType<typeof loadRenderer> | null = null;
  return async (text) => {
    // The renderer refuses an empty text.
    if (text === '') return '';
    loading ??= loadRenderer();
    return (await loading)(text);
  };
}

async function loadRenderer() {
  const { init, mdToHtml } = await import('md4w');
  // The package itself would not find its file below a folder with a space in its name.
  await init(await readFile(new URL('md4w-fast.wasm', import.meta.resolve('md4w'))));
  return mdToHtml;
}
