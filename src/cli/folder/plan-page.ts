import { toPrintable } from '../../core/base/printable.ts';
import { withThousands } from '../../core/base/text.ts';
import type { PlanHeader, PlanItem } from '../../core/plans/plan-file.ts';
import { costText, countsText, itemCounts, type PlanCost } from '../../core/plans/plan-summary.ts';
import type { BuiltPlan } from './build-plan.ts';
import type { LeftOut } from './folder-names.ts';
import { MARKDOWN_FILE } from './folder-names.ts';
import { type FolderReading, listed } from './read-folder.ts';

export interface PlanPage {
  readonly header: PlanHeader;
  readonly reading: FolderReading;
  readonly plan: BuiltPlan;
  readonly cost: PlanCost;
  readonly leftOut: readonly LeftOut[];
}

/** The lines of a section of the page, of which the first ones are shown. */
const MAX_LINES = 50;

/** A plan as a page for people: as text for a terminal, or as Markdown for a comment. */
export function planPage(page: PlanPage, format: 'text' | 'markdown'): string {
  const { header, reading, plan, cost } = page;
  const counts = itemCounts(plan.items);
  const leftOut = page.leftOut.filter(({ path }) => MARKDOWN_FILE.test(path));
  const { target } = header;
  const isMost = leftOut.length * 2 > reading.files;
  const intro = [
    ...(isMost
      ? [`Most files are left out: ${leftOut.length} of ${reading.files}. --include takes some of them.`]
      : []),
    `${reading.files} Markdown files, read as ${reading.convention === 'none' ? 'a folder of no known generator' : `those of ${reading.convention}`}, for ${target.projectVersionName} (${target.projectVersionId}).`,
    countsText({ ...counts, 'left-out': leftOut.length }),
    costText(cost),
  ];
  const sections = sectionsOf(page).filter(({ lines }) => lines.length > 0);
  const body = sections.map(({ title, lines }) => sectionText(title, lines, format));
  const safe = intro.map((line) => (format === 'markdown' ? escaped(line) : toPrintable(line)));
  return `${safe.join(format === 'markdown' ? '\n\n' : '\n')}\n${body.join('')}`;
}

interface Section {
  readonly title: string;
  /** Each entry with the lines below it. */
  readonly lines: readonly (readonly string[])[];
}

function sectionsOf({ reading, plan, leftOut: all }: PlanPage): readonly Section[] {
  const of = <Kind extends PlanItem['kind']>(kind: Kind) =>
    plan.items.filter((item): item is Extract<PlanItem, { kind: Kind }> => item.kind === kind);
  const problems = all.filter(({ isProblem }) => isProblem);
  const byReason = Map.groupBy(
    all.filter(({ isProblem }) => !isProblem),
    ({ reason }) => reason,
  );
  return [
    { title: 'Would fail', lines: problems.map(({ path, reason }) => [`${path}: ${reason}`]) },
    {
      title: 'Left out',
      lines: [...byReason].map(([reason, files]) => [
        `${files.length}: ${reason}: ${listed(files.map(({ path }) => path))}`,
      ]),
    },
    { title: 'New categories', lines: of('category').map(({ folder, name }) => [`${folder}/: ${name}`]) },
    {
      title: 'Create',
      lines: of('create').map(({ path, set, publish }) => [`${path}: ${set.title}${publish ? ' (publish)' : ''}`]),
    },
    {
      title: 'Translate',
      lines: of('translate').map(({ path, language, set }) => [`${path}: ${set.title} (${language})`]),
    },
    {
      title: 'Change',
      lines: of('change').map(({ path, articleId, publish }) => [
        `${path} (${articleId})${publish ? ', and publish' : ''}`,
        ...(plan.details.get(path) ?? []),
      ]),
    },
    {
      title: 'Publish unchanged',
      lines: of('same')
        .filter(({ publish }) => publish)
        .map(({ path }) => [path]),
    },
    {
      title: 'Files that are gone',
      lines: of('gone').map(({ path, articleId, action }) => [`${path} (${articleId}): ${action ?? 'stays as it is'}`]),
    },
    {
      title: 'Without effect',
      lines: reading.unusedFields.map(([name, count]) => [`${name}: ${count} files`]),
    },
    {
      title: 'Links and images that work in the folder only',
      lines: reading.links.map(({ path, line, kind, target }) => [`${path}:${line}: ${kind} ${target}`]),
    },
    {
      title: 'No Markdown',
      lines:
        reading.others.size === 0
          ? []
          : [[[...reading.others].map(([ending, count]) => `${count} ${ending}`).join(', ')]],
    },
    { title: 'To know', lines: [...reading.notes, ...plan.notes].map((note) => [note]) },
  ];
}

function sectionText(title: string, entries: Section['lines'], format: 'text' | 'markdown'): string {
  const shown = entries.slice(0, MAX_LINES);
  const more =
    entries.length > shown.length ? [[`and ${withThousands(entries.length - shown.length)} more; --json has all`]] : [];
  const all = [...shown, ...more];
  if (format === 'text') {
    const lines = all.flatMap(([first = '', ...rest]) => [
      `  ${toPrintable(first)}`,
      ...rest.map((line) => `      ${toPrintable(line)}`),
    ]);
    return `\n${title} (${withThousands(entries.length)})\n${lines.join('\n')}\n`;
  }
  const lines = all.flatMap(([first = '', ...rest]) => [
    `- ${escaped(first)}`,
    ...(rest.length > 0 ? [fenced(rest)] : []),
  ]);
  return `\n<details><summary>${title} (${withThousands(entries.length)})</summary>\n\n${lines.join('\n')}\n\n</details>\n`;
}

/** Lines of others in a block of code, which they must not end. */
const fenced = (lines: readonly string[]): string =>
  ['  ````diff', ...lines.map((line) => `  ${toPrintable(line).replaceAll('````', '``` `')}`), '  ````'].join('\n');

/** Texts of others, of which a page of Markdown makes no link, mention, image or HTML. */
const escaped = (text: string): string =>
  toPrintable(text)
    .replaceAll(/[\\`*_[\]<>|#!&]/gu, (one) => `\\${one}`)
    .replaceAll('@', '@\u200B');
