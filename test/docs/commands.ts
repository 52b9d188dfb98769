import type { Texts } from './repository-texts.ts';

const BLOCK = /^```sh\n(?<block>.*?)^```$/gmsu;

/** Commands that a sentence names, with their arguments. */
const INLINE = /`(?<command>(?:[A-Z_]+=\S* )*(?:npm|npx|node|docker|kubectl|kb-gateway) [^`]+)`/gu;

/** Every command that the pages tell people to run, once. */
export function documentedCommands(pages: Texts): readonly string[] {
  const commands = [...pages.values()].flatMap((page) => [
    ...[...page.matchAll(BLOCK)].flatMap(({ groups }) => linesOf(groups?.['block'] ?? '')),
    ...[...page.replaceAll(/^```.*?^```$/gmsu, '').matchAll(INLINE)].map(
      ({ groups }) => groups?.['command']?.replaceAll(/\s+/gu, ' ') ?? '',
    ),
  ]);
  return [...new Set(commands)].sort();
}

/** The commands of a block, without comments; a backslash continues a line. */
const linesOf = (block: string): readonly string[] =>
  block
    .replaceAll(/\\\n\s*/gu, '')
    .split('\n')
    .map((line) => line.replace(/(?:^|\s+)#\s.*$/u, '').trim())
    .filter((line) => line !== '');
