import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { SyntaxNode } from '@lezer/common';
import { parser } from '@prometheus-io/lezer-promql';
import { CATALOGUE, createMetrics, type MetricDeclaration } from '@steward/telemetry';
import { beforeAll, expect, it } from 'vitest';
import { parse } from 'yaml';
import { ALERTS, alertRules } from './source/alerts.ts';
import { DASHBOARDS } from './source/dashboards.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const catalogue: Readonly<Record<string, MetricDeclaration>> = CATALOGUE;

/** The labels that Prometheus adds to every series. */
const TARGET_LABELS = ['job', 'instance'];

/** The suffixes of the series of distributions. */
const SUFFIXES = {
  counter: [''],
  gauge: [''],
  histogram: ['_bucket', '_sum', '_count'],
  summary: ['_sum', '_count'],
};

const expressions = [
  ...ALERTS.map(({ name, expr }) => [name, expr] as const),
  ...DASHBOARDS.flatMap(({ title, rows }) =>
    rows.flatMap(({ panels }) =>
      panels.flatMap((panel) =>
        panel.queries.map(
          ({ expr }) => [`${title}: ${panel.title}`, expr.replaceAll('$__rate_interval', '5m')] as const,
        ),
      ),
    ),
  ),
];

/** The labels of every series that a process can have, by the name of the series, with the listed values. */
const series = new Map<string, Readonly<Record<string, readonly string[] | string>>>([['up', {}]]);

beforeAll(async () => {
  for (const [name, { type, labels }] of Object.entries(catalogue)) {
    for (const suffix of SUFFIXES[type]) {
      series.set(name + suffix, suffix === '_bucket' ? { ...labels, le: 'a bound' } : labels);
    }
  }
  const text = await createMetrics({ program: 'steward', release: '1.0.0' }).render();
  for (const [, name = '', labels = ''] of text.matchAll(/^((?:nodejs|process)_\w+)(?:\{(.*)\})? /gm)) {
    const names = [...labels.matchAll(/(\w+)="/g)].map(([, label]) => [label ?? '', 'any'] as const);
    series.set(name, Object.fromEntries(names));
  }
});

/** What an expression names: series with the labels and values that select them, and all labels. */
function namesIn(expr: string) {
  const text = ({ from, to }: SyntaxNode) => expr.slice(from, to);
  const selectors: { metric: string; matched: { label: string; equals: boolean; value: string }[] }[] = [];
  const labels: string[] = [];
  const errors: string[] = [];
  parser.parse(expr).iterate({
    enter({ type, node }) {
      if (type.isError) errors.push(`at ${node.from}: ${expr.slice(node.from)}`);
      if (type.name === 'LabelName') labels.push(text(node));
      if (type.name !== 'VectorSelector') return;
      const metric = node.getChild('Identifier');
      const matchers = node.getChild('LabelMatchers')?.getChildren('UnquotedLabelMatcher') ?? [];
      selectors.push({
        metric: metric ? text(metric) : '',
        matched: matchers.map((matcher) => {
          const [, label = '', operator = '', value = ''] =
            /^(\w+)\s*(=~|!~|!=|=)\s*"(.*)"$/.exec(text(matcher)) ?? [];
          return { label, equals: operator === '=' || operator === '!=', value };
        }),
      });
    },
  });
  return { selectors, labels, errors };
}

it.each(expressions)('%s is an expression over metrics and labels that exist', (_, expr) => {
  const { selectors, labels, errors } = namesIn(expr);
  expect(errors).toEqual([]);
  expect(selectors).not.toEqual([]);
  const known = new Set(TARGET_LABELS);
  for (const { metric, matched } of selectors) {
    const declared = series.get(metric);
    expect(declared, metric).toBeDefined();
    for (const label of Object.keys(declared ?? {})) known.add(label);
    for (const { label, equals, value } of matched) {
      expect([...TARGET_LABELS, ...Object.keys(declared ?? {})]).toContain(label);
      const values = declared?.[label];
      if (!Array.isArray(values)) continue;
      const selected = values.filter((each) =>
        equals ? each === value : new RegExp(`^(?:${value})$`).test(each),
      );
      expect(selected, `${metric}{${label}} ${value}`).not.toEqual([]);
    }
  }
  expect(labels.filter((label) => !known.has(label))).toEqual([]);
});

it('the dashboards show every metric of the catalogue', () => {
  const shown = new Set(
    expressions.flatMap(([, expr]) => namesIn(expr).selectors.map(({ metric }) => metric)),
  );
  const isShown = (name: string) =>
    SUFFIXES[catalogue[name]?.type ?? 'gauge'].some((suffix) => shown.has(name + suffix));
  expect(Object.keys(catalogue).filter((name) => !isShown(name))).toEqual([]);
});

it('the legends and texts name only labels that the series keep', () => {
  const texts = [
    ...DASHBOARDS.flatMap(({ rows }) =>
      rows.flatMap(({ panels }) =>
        panels.flatMap(({ queries }) => queries.map(({ expr, legend }) => [expr, legend] as const)),
      ),
    ),
    ...ALERTS.map(({ expr, description }) => [expr, description.replaceAll('$labels.', '')] as const),
  ];
  for (const [expr, text] of texts) {
    const named = [...text.matchAll(/\{\{\s*(\w+)\s*\}\}/g)].map(([, label = '']) => label);
    const { selectors, labels } = namesIn(expr.replaceAll('$__rate_interval', '5m'));
    const isGrouped = /\bby \(/.test(expr);
    const kept = isGrouped
      ? labels
      : [...TARGET_LABELS, ...selectors.flatMap(({ metric }) => Object.keys(series.get(metric) ?? {}))];
    expect(
      named.filter((label) => !kept.includes(label)),
      expr,
    ).toEqual([]);
  }
});

it('each alert has a section in the documentation, and every section an alert', () => {
  const rules = parse(alertRules()) as {
    groups: { rules: { alert: string; annotations: Record<string, string> }[] }[];
  };
  const alerts = rules.groups.flatMap((group) => group.rules);
  const operations = readFileSync(join(root, 'docs/observability.md'), 'utf8');
  const sections = [...operations.matchAll(/^### (Steward\w+)$/gm)].map(([, name]) => name);
  expect(alerts.map(({ alert }) => alert)).toEqual(sections);
  for (const { alert, annotations } of alerts) {
    expect(annotations).toEqual({
      summary: expect.any(String),
      description: expect.any(String),
      runbook: `docs/observability.md#${alert.toLowerCase()}`,
    });
  }
});

it('the example of a configuration loads the rules, and names the job that they expect', () => {
  const config = parse(readFileSync(join(root, 'deploy/observability/prometheus.yml'), 'utf8'));
  expect(config.rule_files).toEqual(['alerts.yml']);
  expect(config.scrape_configs).toMatchObject([{ job_name: 'steward' }]);
});
