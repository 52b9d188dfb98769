/** A sample of a page in the text format of Prometheus. */
export interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

const SAMPLE = /^(?<name>[a-z_]\w*)(?:\{(?<labels>.*)\})? (?<value>\S+)$/u;
const LABEL = /(?<name>[a-z_]\w*)="(?<value>(?:[^"\\]|\\.)*)",?/gu;

/** Parses a page. Throws where a line is neither a comment nor a sample. */
export function parseMetricsPage(page: string): readonly Sample[] {
  const lines = page.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return lines.map((line) => {
    const { name, labels = '', value } = SAMPLE.exec(line)?.groups ?? {};
    if (name === undefined) throw new Error(`This is no sample: ${line}`);
    const pairs = [...labels.matchAll(LABEL)].map(({ groups = {} }) => [groups['name'], groups['value']]);
    return { name, labels: Object.fromEntries(pairs), value: Number(value) };
  });
}

/** The values of a metric by the values of some of its labels, such as `POST /graphql 200`. */
export const valuesBy = (samples: readonly Sample[], metric: string, labels: readonly string[]) =>
  Object.fromEntries(
    samples
      .filter(({ name }) => name === metric)
      .map((sample) => [labels.map((label) => sample.labels[label] ?? '-').join(' '), sample.value]),
  );

/** The value of a metric that has one series; undefined where it has none. */
export const singleValue = (samples: readonly Sample[], metric: string): number | undefined =>
  samples.find(({ name }) => name === metric)?.value;
