import { expect, it } from 'vitest';
import { CATALOGUE } from './catalogue.ts';
import type { MetricDeclaration } from './declaration.ts';

const metrics = Object.entries<MetricDeclaration>(CATALOGUE);

/** Parts of names that stand for units which are not the base unit, as `promtool check metrics` knows them. */
const OTHER_UNITS =
  /_(milliseconds?|ms|microseconds?|us|nanoseconds?|ns|minutes?|hours?|days?|kilobytes?|kb|megabytes?|mb|percent)(_|$)/;

it.each(metrics)('%s follows the conventions of Prometheus', (name, { type, help, labels, buckets }) => {
  expect(name).toMatch(/^steward_[a-z]+(_[a-z]+)*$/);
  expect(help).toMatch(/^[A-Z].*\.$/);
  expect(name).not.toMatch(OTHER_UNITS);
  expect(name).not.toMatch(/_(counter|gauge|histogram|summary|count|sum|bucket)(_|$)/);
  expect(name.endsWith('_total')).toBe(type === 'counter');
  for (const label of Object.keys(labels)) {
    expect(label).toMatch(/^[a-z][a-z_]*$/);
    expect(['le', 'quantile', 'job', 'instance']).not.toContain(label);
    expect(name).not.toContain(`_by_${label}`);
  }
  if (type !== 'histogram') return;
  expect(name).toMatch(/_(seconds|bytes)$/);
  expect(buckets).toEqual([...new Set(buckets)].toSorted((a, b) => a - b));
  expect(buckets?.length).toBeGreaterThan(0);
});
