import { toText } from './tables.ts';

/** A measured figure, beside the bound that it must keep. */
export interface Figure {
  readonly what: string;
  readonly value: number;
  readonly unit: string;
  /** The largest value that is allowed; null where there is no bound, or where it holds at full size only. */
  readonly atMost: number | null;
}

export const figure = (what: string, value: number, more: Partial<Figure> = {}): Figure => ({
  what,
  value,
  unit: '',
  atMost: null,
  ...more,
});

/** A count that must be 0. */
export const none = (what: string, findings: readonly unknown[]): Figure =>
  figure(what, findings.length, { atMost: 0 });

const isWithin = ({ value, atMost }: Figure): boolean => atMost === null || value <= atMost;

const shown = (value: number): string =>
  Number.isInteger(value) ? value.toLocaleString('en-US') : value.toPrecision(value >= 100 ? 4 : 3);

const rowOf = (one: Figure): readonly string[] => [
  one.what,
  `${shown(one.value)} ${one.unit}`.trimEnd(),
  one.atMost === null ? '–' : `≤ ${shown(one.atMost)}`,
  isWithin(one) ? '' : 'OUT OF BOUNDS',
];

/** Prints the figures of a section. The command ends with 1 when one is out of its bound, or when measuring fails. */
export async function printSection(name: string, measure: () => Promise<readonly Figure[]>): Promise<void> {
  const begun = performance.now();
  try {
    const figures = await measure();
    const seconds = Math.round((performance.now() - begun) / 1_000);
    console.log(
      `\n${name} (${seconds} s)\n${toText({ head: ['', 'measured', 'bound', ''], rows: figures.map(rowOf) })}`,
    );
    if (!figures.every(isWithin)) process.exitCode = 1;
  } catch (error) {
    console.error(`\n${name} failed:`, error);
    process.exitCode = 1;
  }
}
