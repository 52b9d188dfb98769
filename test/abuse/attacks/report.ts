import type { AttackReport } from './run.ts';

/** The cost of each attack, as a table for the docs. */
export function tableOfAttacks(reports: readonly AttackReport[]): string {
  const rows = reports.map(({ attack, cost, statuses, bystander, complaints }) => {
    const figures = [cost.holdMs, cost.cpuMs, cost.peakMb, bystander.worstMs].map((value) =>
      Math.round(value).toLocaleString('en'),
    );
    return `| ${attack.name} | ${statuses} | ${figures.join(' | ')} |${complaints.length > 0 ? ` FAILED: ${complaints.join(', ')}` : ''}`;
  });
  return [
    '| attack | responses | loop held at most, CPU ms | CPU, ms | memory at most, MB | another client waited at most, ms |',
    '|---|---|---|---|---|---|',
    ...rows,
    '',
  ].join('\n');
}
