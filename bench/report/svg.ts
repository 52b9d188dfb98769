/** Coordinates are pixels from the upper left corner. */
export interface Drawing {
  /** A description for readers who cannot see the drawing. */
  readonly title: string;
  readonly width: number;
  readonly height: number;
  readonly marks: readonly string[];
}

const escaped = (text: string) => text.replace(/&/gu, '&amp;').replace(/</gu, '&lt;').replace(/"/gu, '&quot;');
const round = (value: number) => Number(value.toFixed(1));

/** Colours that are legible on white and in print. */
export const COLOURS = {
  ours: '#0b6e4f',
  'ours-second': '#7fbfa6',
  peer: '#8d99ae',
  baseline: '#d5dae3',
  text: '#1f2933',
  faint: '#6b7785',
  rule: '#e4e7eb',
} as const;

export type Colour = keyof typeof COLOURS;

export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export const bar = ({ x, y, width, height }: Box, colour: Colour): string =>
  `<rect x="${round(x)}" y="${round(y)}" width="${round(Math.max(width, 1))}" height="${round(height)}" fill="${COLOURS[colour]}"/>`;

interface LabelStyle {
  readonly colour?: Colour;
  readonly anchor?: 'start' | 'middle' | 'end';
  readonly bold?: boolean;
}

export function label(text: string, [x, y]: readonly [number, number], style: LabelStyle = {}): string {
  const { colour = 'text', anchor = 'start', bold = false } = style;
  const weight = bold ? ' font-weight="600"' : '';
  return `<text x="${round(x)}" y="${round(y)}" fill="${COLOURS[colour]}" text-anchor="${anchor}"${weight}>${escaped(text)}</text>`;
}

export type Point = readonly [x: number, y: number];

const pathOf = (points: readonly Point[]) => points.map(([x, y]) => `${round(x)},${round(y)}`).join(' ');

export const line = (points: readonly Point[], colour: Colour, thickness = 1): string =>
  `<polyline points="${pathOf(points)}" fill="none" stroke="${COLOURS[colour]}" stroke-width="${thickness}"/>`;

export const dot = ([x, y]: Point, colour: Colour): string =>
  `<circle cx="${round(x)}" cy="${round(y)}" r="3.5" fill="${COLOURS[colour]}"/>`;

/** The content of an SVG file. The background is white, so that it is legible on a dark page too. */
export const toSvg = ({ title, width, height, marks }: Drawing): string =>
  [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" font-family="system-ui, sans-serif" font-size="12">`,
    `<title>${escaped(title)}</title>`,
    `<rect width="${width}" height="${height}" fill="#fff"/>`,
    ...marks,
    '</svg>\n',
  ].join('\n');
