import { type Colour, type Drawing, dot, label, line, type Point } from '../report/svg.ts';
import type { EngineName, StoreRun } from './figures.ts';

const PLOT = { left: 70, top: 44, width: 430, height: 250 } as const;
const SIZE = { width: 745, height: 350 } as const;

const COLOUR: Record<EngineName, Colour> = { SQLite: 'ours', PostgreSQL: 'peer' };
/** Line widths by the size of the store. */
const THICKNESS = [1, 2, 3.5];

const figure = (value: number) => value.toLocaleString('en-US');

interface Series {
  readonly name: string;
  readonly colour: Colour;
  readonly thickness: number;
  readonly points: readonly Point[];
}

/**
 * The CPU time of an item by the size of the call, with a line per engine and size of the store. Lines on top of each
 * other are good. CPU time depends less on the load of the machine than elapsed time.
 */
export const drawCost = (runs: readonly StoreRun[], order: 'scattered' | 'neighbours'): Drawing =>
  draw(
    `CPU µs per item, gateway and engine, by the items in one bulk update: ${TITLES[order]}`,
    runs.map((run) => ({
      ...styleOf(run, runs),
      points: run.cost.map((row): Point => [row.items, row[order].cpu + (row[order].serverCpu ?? 0)]),
    })),
    logarithmic,
  );

const TITLES = { scattered: 'scattered over the store', neighbours: 'beside each other' } as const;

/** The heap by the number of calls. Flat is good. */
export const drawMemory = (runs: readonly StoreRun[]): Drawing =>
  draw(
    'MiB of heap after a collection, by the calls of 100 items made',
    runs.map((run) => ({
      ...styleOf(run, runs),
      points: run.memory.map(({ calls, heapUsed }): Point => [calls, heapUsed / 1024 ** 2]),
    })),
    linear,
  );

function styleOf({ engine, articles }: StoreRun, runs: readonly StoreRun[]): Omit<Series, 'points'> {
  const sizes = [...new Set(runs.map((run) => run.articles))];
  const thickness = THICKNESS[sizes.indexOf(articles)] ?? 1;
  return { name: `${engine}, ${figure(articles)} articles`, colour: COLOUR[engine], thickness };
}

function draw(title: string, series: readonly Series[], scaleOf: (values: readonly number[]) => Scale): Drawing {
  const points = series.flatMap((one) => one.points);
  const xs = scaleOf(points.map(([x]) => x));
  const ys = scaleOf(points.map(([, y]) => y));
  const xAt = (x: number) => PLOT.left + xs.positionOf(x) * PLOT.width;
  const yAt = (y: number) => PLOT.top + (1 - ys.positionOf(y)) * PLOT.height;
  const steps = xs.steps.map((step) =>
    label(figure(step), [xAt(step), PLOT.top + PLOT.height + 20], { anchor: 'middle', colour: 'faint' }),
  );
  const lines = series.flatMap(({ points: own, colour, thickness }) => {
    const placed = own.map(([x, y]): Point => [xAt(x), yAt(y)]);
    return [line(placed, colour, thickness), ...placed.map((point) => dot(point, colour))];
  });
  const rules = ys.steps.flatMap((step) => ruleAt(yAt(step), figure(step)));
  const marks = [
    label(title, [PLOT.left, 20], { bold: true }),
    ...rules,
    ...steps,
    ...lines,
    ...series.flatMap(legend),
  ];
  return { ...SIZE, title, marks };
}

const RIGHT = PLOT.left + PLOT.width;

const across = (y: number, from: number, to: number): readonly Point[] => [
  [from, y],
  [to, y],
];

const ruleAt = (y: number, text: string): readonly string[] => [
  line(across(y, PLOT.left, RIGHT), 'rule'),
  label(text, [PLOT.left - 8, y + 4], { anchor: 'end', colour: 'faint' }),
];

function legend({ name, colour, thickness }: Series, index: number): readonly string[] {
  const y = PLOT.top + 8 + index * 20;
  return [line(across(y - 4, RIGHT + 16, RIGHT + 36), colour, thickness), label(name, [RIGHT + 42, y])];
}

interface Scale {
  /** Maps a value to a position from 0 to 1. */
  readonly positionOf: (value: number) => number;
  /** The values that are labelled on the axis. */
  readonly steps: readonly number[];
}

/** An axis from one power of ten to another, for values above 0. */
function logarithmic(values: readonly number[]): Scale {
  const low = Math.floor(Math.log10(Math.min(...values)));
  const high = Math.max(Math.ceil(Math.log10(Math.max(...values))), low + 1);
  return {
    positionOf: (value) => (Math.log10(value) - low) / (high - low),
    steps: Array.from({ length: high - low + 1 }, (_, step) => 10 ** (low + step)),
  };
}

/** An axis from 0 in steps of 1, 2 or 5 times a power of ten. */
function linear(values: readonly number[]): Scale {
  const most = Math.max(...values);
  const power = 10 ** Math.floor(Math.log10(most / 2));
  const step = [1, 2, 5, 10].map((one) => one * power).find((one) => one * 5 >= most) ?? most;
  const count = Math.ceil(most / step);
  return {
    positionOf: (value) => value / (step * count),
    steps: Array.from({ length: count + 1 }, (_, index) => index * step),
  };
}
