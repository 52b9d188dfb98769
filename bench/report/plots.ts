import type { StoreRow } from '../sections/store.ts';
import type { WorkloadRow } from '../sections/workloads.ts';
import { OURS } from '../targets.ts';
import type { WorkloadReport } from './report.ts';
import { bar, type Colour, type Drawing, label, type Point } from './svg.ts';

const NAME_WIDTH = 235;
const BAR_WIDTH = 230;
const ROW_HEIGHT = 19;
const TITLE_HEIGHT = 24;
const PANEL_WIDTH = NAME_WIDTH + BAR_WIDTH + 70;
const GAP = 24;

/** One workload: a bar for each target. */
interface Panel {
  readonly title: string;
  readonly bars: readonly Bar[];
}

interface Bar {
  readonly name: string;
  readonly colour: Colour;
  /** CPU microseconds per request. */
  readonly cpu: number;
}

/** CPU time per request over REST, of kb-gateway and its peers. Shorter is better. */
export const drawWorkloads = (title: string, workloads: readonly WorkloadReport[]): Drawing =>
  drawPanels(
    title,
    workloads.map((workload) => ({
      title: `${workload.name}: ${workload.title}`,
      bars: workload.rows.filter(({ kind }) => kind !== 'baseline').map(barOf),
    })),
  );

const barOf = ({ target, kind, cpuPerRequest }: WorkloadRow): Bar => ({
  name: target
    .replace('COALESCE_WRITES=off', 'not coalescing')
    .replace('READ_CACHE_SECONDS=30', 'with its cache')
    .replace('LOG_LEVEL=warn', 'without a log'),
  colour: kind === 'ours' && target.includes(',') ? 'ours-second' : kind,
  cpu: cpuPerRequest,
});

/** CPU time per request over the store, of kb-gateway and what else serves the same tables. Shorter is better. */
export function drawStore(title: string, rows: readonly StoreRow[]): Drawing {
  const byWorkload = Map.groupBy(rows, ({ workload }) => workload);
  return drawPanels(
    title,
    [...byWorkload].map(([workload, all]) => ({
      title: `${workload}: ${all[0]?.title}`,
      bars: all.map(({ engine, target, cpuPerRequest }) => ({
        name: `${target}${target === OURS.name ? `, ${engine}` : ''}`,
        colour: storeColourOf(target),
        cpu: cpuPerRequest,
      })),
    })),
  );
}

function storeColourOf(target: string): Colour {
  if (target === OURS.name) return 'ours';
  return target.startsWith('PostGraphile') ? 'peer' : 'baseline';
}

/** Two panels beside each other. Each has a scale of its own. */
function drawPanels(title: string, panels: readonly Panel[]): Drawing {
  const panelHeight = TITLE_HEIGHT + Math.max(...panels.map(({ bars }) => bars.length)) * ROW_HEIGHT + GAP;
  const marks = panels.flatMap((panel, index) =>
    drawPanel(panel, [GAP + (index % 2) * (PANEL_WIDTH + GAP), GAP + Math.floor(index / 2) * panelHeight]),
  );
  return {
    title,
    width: 2 * (PANEL_WIDTH + GAP) + GAP,
    height: GAP + Math.ceil(panels.length / 2) * panelHeight,
    marks,
  };
}

function drawPanel({ title, bars }: Panel, [x, y]: Point): readonly string[] {
  const largest = Math.max(...bars.map(({ cpu }) => cpu));
  const left = x + NAME_WIDTH;
  const rows = bars.flatMap(({ name, colour, cpu }, index) => {
    const top = y + TITLE_HEIGHT + index * ROW_HEIGHT;
    const width = (cpu / largest) * BAR_WIDTH;
    return [
      label(name, [left - 8, top + 11], { anchor: 'end', bold: colour === 'ours' }),
      bar({ x: left, y: top, width, height: ROW_HEIGHT - 5 }, colour),
      label(`${Math.round(cpu).toLocaleString('en-US')} µs`, [left + width + 6, top + 11], { colour: 'faint' }),
    ];
  });
  return [label(title, [x, y + 8], { bold: true }), ...rows];
}
