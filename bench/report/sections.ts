import { type Figure, printSection } from './figures.ts';
import { FULL_SIZE, QUICK_SIZE, type Size } from './size.ts';

/** A command that measures sections of figures: `npm run COMMAND -- [--quick] [SECTION…]`. */
interface SectionsCommand {
  readonly command: string;
  /** Describes `--quick`. */
  readonly quick: string;
  readonly sections: Readonly<Record<string, (size: Size) => Promise<readonly Figure[]>>>;
}

/** Measures the sections that the command line names, or all. Ends with 2 where it names another. */
export async function runSections({ command, quick, sections }: SectionsCommand): Promise<void> {
  const given = process.argv.slice(2);
  const names = given.filter((argument) => argument !== '--quick');
  const size = given.includes('--quick') ? QUICK_SIZE : FULL_SIZE;
  if (names.some((name) => !Object.hasOwn(sections, name))) {
    console.log(helpOf(command, quick, Object.keys(sections)));
    process.exitCode = given.includes('--help') ? 0 : 2;
    return;
  }
  for (const [name, measure] of Object.entries(sections)) {
    if (names.length === 0 || names.includes(name)) await printSection(name, () => measure(size));
  }
}

const helpOf = (command: string, quick: string, names: readonly string[]): string =>
  `npm run ${command} -- [--quick] [SECTION…]

  --quick   ${quick}
  SECTION   of ${names.join(', ')}`;
