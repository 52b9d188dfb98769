import type { GrowthRow } from '../sections/growth.ts';
import type { LocalRow } from '../sections/local.ts';
import type { WorkloadRow } from '../sections/workloads.ts';
import type { WorkloadReport } from './report.ts';
import { bar, type Colour, type Drawing, dot, label, line, type Point } from './svg.ts';

const NAME_WIDTH = 190;
const BAR_WIDTH = 240;
const ROW_HEIGHT = 19;
const PANEL_WIDTH = NAME_WIDTH + BAR_WIDTH + 70;
const PANEL_HEIGHT = 210;
const GAP = 24;

const colourOf = ({ kind, target }: WorkloadRow): Colour =>
  kind === 'ours' && target.includes(',') ? 'ours-second' : kind;
const shortName = (target: string) =>
  target
    .replace('kb-gateway, COALESCE_WRITES=off', 'kb-gateway, not coalescing')
    .replace('node:http proxy, parses and writes both bodies', 'proxy, bodies parsed');
const figure = (value: number) => Math.round(value).toLocaleString('en-US');

/** CPU time per request, with a panel per workload and a bar per target. Shorter is better. */
export function drawWorkloads(workloads: readonly WorkloadReport[]): Drawing {
  const marks = workloads.flatMap((workload, index) => {
    const x = GAP + (index % 2) * (PANEL_WIDTH + GAP);
    const y = GAP + Math.floor(index / 2) * PANEL_HEIGHT;
    return drawPanel(workload, [x, y]);
  });
  return {
    title: 'CPU time per request under each workload',
    width: 2 * (PANEL_WIDTH + GAP) + GAP,
    height: GAP + Math.ceil(workloads.length / 2) * PANEL_HEIGHT,
    marks,
  };
}

function drawPanel({ name, title, rows }: WorkloadReport, [x, y]: Point): readonly string[] {
  const largest = Math.max(...rows.map(({ cpuPerRequest }) => cpuPerRequest));
  const bars = rows.flatMap((row, index) => {
    const top = y + 24 + index * ROW_HEIGHT;
    const width = (row.cpuPerRequest / largest) * BAR_WIDTH;
    const left = x + NAME_WIDTH;
    return [
      label(shortName(row.target), [left - 8, top + 11], { anchor: 'end', bold: row.kind === 'ours' }),
      bar({ x: left, y: top, width, height: ROW_HEIGHT - 5 }, colourOf(row)),
      label(figure(row.cpuPerRequest), [left + width + 6, top + 11], { colour: 'faint' }),
    ];
  });
  return [label(`${name}: ${title}, CPU µs per request`, [x, y + 8], { bold: true }), ...bars];
}

const PLOT = { left: 64, top: 40, width: 480, height: 240 } as const;
const PLOT_SIZE = { width: 700, height: 330 } as const;
const LINE_COLOURS: readonly Colour[] = ['ours', 'peer', 'ours-second'];

/** CPU time per item by the size of the list, both logarithmic. Flat and low is better. */
export function drawGrowth(rows: readonly GrowthRow[]): Drawing {
  const sizes = rows.map(({ items }) => Math.log10(items));
  const costs = rows.map(({ cpuPerItem }) => Math.log10(cpuPerItem));
  const [low, high] = [Math.floor(Math.min(...costs)), Math.ceil(Math.max(...costs))];
  const xOf = (items: number) => PLOT.left + (Math.log10(items) / Math.max(...sizes)) * PLOT.width;
  const yOf = (cost: number) => PLOT.top + ((high - Math.log10(cost)) / (high - low)) * PLOT.height;
  const decades = Array.from({ length: high - low + 1 }, (_, step) => 10 ** (low + step));
  const targets = [...new Set(rows.map(({ target }) => target))];
  const lines = targets.flatMap((target, index) => {
    const colour = LINE_COLOURS[index] ?? 'peer';
    const points = rows
      .filter((row) => row.target === target)
      .map((row): Point => [xOf(row.items), yOf(row.cpuPerItem)]);
    const [endX, endY] = points.at(-1) ?? [0, 0];
    const nameY = endY + (index === 0 ? -4 : 14);
    return [
      line(points, colour, 2),
      ...points.map((point) => dot(point, colour)),
      label(target, [endX + 10, nameY], { colour, bold: true }),
    ];
  });
  const marks = [
    label('CPU µs per item, by the number of items in one bulk update', [PLOT.left, 20], { bold: true }),
    ...decades.flatMap((decade) => grid(figure(decade), yOf(decade))),
    ...[...new Set(rows.map(({ items }) => items))].map((items) =>
      label(figure(items), [xOf(items), PLOT.top + PLOT.height + 20], { anchor: 'middle', colour: 'faint' }),
    ),
    ...lines,
  ];
  return { ...PLOT_SIZE, title: 'CPU time per item by the size of the list', marks };
}

const grid = (text: string, y: number): readonly string[] => [
  line(
    [
      [PLOT.left, y],
      [PLOT.left + PLOT.width, y],
    ],
    'rule',
  ),
  label(text, [PLOT.left - 8, y + 4], { anchor: 'end', colour: 'faint' }),
];

/** Mutations per second over the embedded store by the number of clients. Longer is better. */
export function drawLocal(rows: readonly LocalRow[]): Drawing {
  const largest = Math.max(...rows.map(({ mutationsPerSecond }) => mutationsPerSecond));
  const marks = rows.flatMap((row, index) => {
    const top = 36 + index * ROW_HEIGHT + Math.floor(index / 2) * 8;
    const width = (row.mutationsPerSecond / largest) * BAR_WIDTH;
    const isAlone = row.target.includes(',');
    const left = 60 + NAME_WIDTH;
    return [
      isAlone ? '' : label(`${row.connections} clients`, [8, top + 11], { colour: 'faint' }),
      label(shortName(row.target), [left - 8, top + 11], { anchor: 'end', bold: !isAlone }),
      bar({ x: left, y: top, width, height: ROW_HEIGHT - 5 }, isAlone ? 'ours-second' : 'ours'),
      label(figure(row.mutationsPerSecond), [left + width + 6, top + 11], { colour: 'faint' }),
    ];
  });
  const height = 60 + rows.length * ROW_HEIGHT + Math.ceil(rows.length / 2) * 8;
  return {
    title: 'Mutations per second over the embedded store',
    width: 60 + NAME_WIDTH + BAR_WIDTH + 80,
    height,
    marks: [label('Embedded store: single-item mutations per second', [8, 20], { bold: true }), ...marks],
  };
}
