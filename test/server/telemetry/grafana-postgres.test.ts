import { readFile } from 'node:fs/promises';
import { parser } from '@prometheus-io/lezer-promql';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { parseMetricsPage, type Sample } from '../../support/scrape.ts';
import { scrapeEveryMetric } from './full-scrape.ts';

/** Labels that Prometheus adds to what it scrapes. */
const ADDED = new Set(['job', 'instance']);

interface Matcher {
  readonly label: string;
  readonly operator: string;
  readonly value: string;
}

interface ParsedQuery {
  readonly selectors: readonly { readonly metric: string; readonly matchers: readonly Matcher[] }[];
  /** The labels of `by`. */
  readonly grouping: readonly string[];
}

/** Throws where the query is not PromQL. */
function parseQuery(query: string): ParsedQuery {
  const selectors: { metric: string; matchers: Matcher[] }[] = [];
  const grouping: string[] = [];
  parser.parse(query).iterate({
    enter: ({ type, name, node, from, to }) => {
      const text = query.slice(from, to);
      if (type.isError) throw new Error(`This is no PromQL at character ${from}: ${query}`);
      if (name === 'VectorSelector') selectors.push({ metric: '', matchers: [] });
      const last = selectors.at(-1);
      if (name === 'Identifier' && last) last.metric = text;
      if (name === 'LabelName' && node.parent?.name === 'GroupingLabels') grouping.push(text);
      if (name === 'UnquotedLabelMatcher') last?.matchers.push(matcherOf(text));
    },
  });
  return { selectors, grouping };
}

function matcherOf(text: string): Matcher {
  const {
    label = '',
    operator = '',
    value = '',
  } = /^(?<label>\w+)(?<operator>=~|!~|!=|=)"(?<value>.*)"$/u.exec(text)?.groups ?? {};
  return { label, operator, value };
}

const matches = ({ labels }: Sample, { label, operator, value }: Matcher): boolean =>
  operator.endsWith('~') ? new RegExp(`^(?:${value})$`, 'u').test(labels[label] ?? '') : labels[label] === value;

/** What the scrape lacks of a query and its legend. */
function findMissing(query: string, legend: string, samples: readonly Sample[]): readonly string[] {
  const { selectors, grouping } = parseQuery(query);
  const found = selectors.map(({ metric }) => samples.filter(({ name }) => name === metric));
  const labels = new Set(found.flat().flatMap((sample) => Object.keys(sample.labels)));
  const named = [...grouping, ...[...legend.matchAll(/\{\{(\w+)\}\}/gu)].map(([, label = '']) => label)];
  return [
    ...selectors.flatMap(({ metric }, index) => (found[index]?.length ? [] : [metric])),
    ...selectors.flatMap(({ metric, matchers }, index) =>
      matchers
        .filter((matcher) => !ADDED.has(matcher.label) && !found[index]?.some((sample) => matches(sample, matcher)))
        .map(({ label, operator, value }) => `${metric}{${label}${operator}"${value}"}`),
    ),
    ...named.filter((label) => !ADDED.has(label) && !labels.has(label)),
  ];
}

interface Dashboard {
  readonly panels: readonly { title: string; targets: readonly { expr: string; legendFormat: string }[] }[];
}

interface Alerts {
  readonly groups: readonly { rules: readonly { alert: string; expr: string; annotations: { summary: string } }[] }[];
}

let scraped: Promise<string> | null = null;

/** One page for all tests. */
function scrapeOnce(): Promise<string> {
  scraped ??= scrapeEveryMetric();
  return scraped;
}

describe('deploy/grafana', async () => {
  const { panels }: Dashboard = JSON.parse(await readFile('deploy/grafana/dashboard.json', 'utf8'));
  const { groups }: Alerts = parse(await readFile('deploy/grafana/alerts.yaml', 'utf8'), { strict: true });

  it('asks in each query for what a gateway has', { tags: 'long' }, async () => {
    const samples = parseMetricsPage(await scrapeOnce());
    const shown = panels.flatMap(({ title, targets }) =>
      targets.map(({ expr, legendFormat }) => ({
        title,
        expr: expr.replaceAll('$__rate_interval', '5m'),
        legendFormat,
      })),
    );
    const alerts = groups.flatMap(({ rules }) =>
      rules.map(({ alert, expr }) => ({ title: alert, expr, legendFormat: '' })),
    );
    expect(shown.length).toBeGreaterThan(20);
    expect(alerts.length).toBeGreaterThan(8);
    const missing = [...shown, ...alerts].map(({ title, expr, legendFormat }) => [
      title,
      ...findMissing(expr, legendFormat, samples),
    ]);
    expect(missing.filter(({ length }) => length > 1)).toEqual([]);
  });

  it.each([
    ['sum(rate(kb_gateway_itmes_total[5m]))', '', ['kb_gateway_itmes_total']],
    ['kb_gateway_items_total{outcome="lost"}', '', ['kb_gateway_items_total{outcome="lost"}']],
    ['sum by (kind) (kb_gateway_items_total{job=~"$job"})', '{{outcome}} {{instance}} {{what}}', ['kind', 'what']],
  ])('would be found wrong with %s', (query, legend, missing) => {
    const samples = [{ name: 'kb_gateway_items_total', labels: { outcome: 'updated' }, value: 1 }];
    expect(findMissing(query, legend, samples)).toEqual(missing);
  });

  it('has panels of their own place and alerts of their own name', () => {
    const alerts = groups.flatMap(({ rules }) => rules);
    expect(new Set(alerts.map(({ alert }) => alert)).size).toBe(alerts.length);
    for (const { annotations } of alerts) expect(annotations.summary).toMatch(/^[A-Z].*\.$/u);
    expect(new Set(panels.map((panel) => JSON.stringify(Object(panel).gridPos))).size).toBe(panels.length);
    expect(() => parseQuery('sum(')).toThrow('This is no PromQL');
  });
});

describe('docs/reference/metrics.md', () => {
  it('lists every metric of a scrape with its type, its labels and its meaning', async () => {
    const page = await scrapeOnce();
    const reference = await readFile('docs/reference/metrics.md', 'utf8');
    const rows = [...reference.matchAll(/^\| `(\w+)` \| (histogram|counter|gauge) \| (.*?) \| (.*?) \|$/gmu)];
    const listed = rows.map(([, name, type, labels = '', meaning]) => ({ name, type, labels, meaning }));
    const helps = [...page.matchAll(/^# HELP (\w+) (.*)\n# TYPE \w+ (\w+)$/gmu)].map(([, name, meaning, type]) => ({
      name,
      type,
      meaning,
    }));
    const found = new Set(helps.filter(({ name }) => name !== 'target_info').map((help) => JSON.stringify(help)));
    expect(new Set(listed.map(({ name, type, meaning }) => JSON.stringify({ name, type, meaning })))).toEqual(found);
    for (const { name, labels } of parseMetricsPage(page)) {
      const row = listed.find((other) => new RegExp(`^${other.name}(?:_count|_sum|_bucket)?$`, 'u').test(name));
      const others = Object.keys(labels).filter((label) => label !== 'le' && !row?.labels.includes(`\`${label}\``));
      expect(name === 'target_info' ? [] : others).toEqual([]);
    }
  });
});
