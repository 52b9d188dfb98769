import { writeFile } from 'node:fs/promises';
import { print } from '../../support/figures.ts';
import { isKnown } from './attempts.ts';
import { keep } from './found.ts';
import { requestOf } from './genomes.ts';
import { kindOf, MEASURE_NAMES, MEASURES, type Measure, type Trial } from './population.ts';
import type { SearchReport } from './search.ts';

/** Prints the worst requests by each measure, keeps them, and writes the tables to a file if one is named. */
export async function report(result: SearchReport, file: string | undefined): Promise<void> {
  const { seed, sent, tookMinutes, broken, notReproduced } = result;
  const counts = [...sent].map(([target, count]) => `${target} ${count}`).join(', ');
  const total = [...sent.values()].reduce((sum, count) => sum + count, 0);
  const lines = [
    `${total.toLocaleString('en')} requests in ${Math.round(tookMinutes)} minutes (${counts}), seed ${seed}: ` +
      `${broken.length} kinds break a bound; ${notReproduced} broke one once and not again.`,
    '',
    ...broken.map(({ kind, file: kept }) => `- ${kind}: ${kept}`),
    ...(broken.length > 0 ? [''] : []),
  ];
  for (const measure of MEASURE_NAMES) lines.push(...(await tableOf(result, measure)));
  for (const line of lines) print(line);
  if (file !== undefined) await writeFile(file, `${lines.join('\n')}\n`);
}

async function tableOf({ population, folder }: SearchReport, measure: Measure): Promise<readonly string[]> {
  const rows: string[] = [];
  for (const [index, trial] of population.worst(measure).entries()) {
    await keepWorst(folder, `worst-${measure}-${index}`, trial);
    rows.push(rowOf(trial, MEASURES[measure](trial)));
  }
  return [
    `| worst by ${measure} | | request bytes | status | loop held ms | CPU ms | memory MB | response bytes |`,
    '|---|---|---|---|---|---|---|---|',
    ...rows,
    '',
  ];
}

function rowOf(trial: Trial, score: number): string {
  const { cost, status, requestBytes, answerBytes } = trial;
  const kind = kindOf(trial).replaceAll('|', '\\|').replaceAll('\n', ' ').slice(0, 90);
  const number = (value: number) => Math.round(value).toLocaleString('en');
  const cells = [requestBytes, status, cost.holdMs, cost.cpuMs, cost.growthMb, answerBytes].map(number);
  return `| \`${kind}\` | ${score.toPrecision(3)} | ${cells.join(' | ')} |`;
}

async function keepWorst(folder: string, name: string, trial: Trial): Promise<void> {
  const request = requestOf(trial.genome, trial.name);
  const { target, cost, status, requestBytes, answerBytes } = trial;
  const found = { what: kindOf(trial), breaches: [], target, isKnown: isKnown(request), cost, before: [], request };
  await keep(folder, name, { ...found, status, requestBytes, answerBytes });
}
