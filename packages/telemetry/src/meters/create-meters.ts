import { Counter, Gauge, type Metric, type Registry } from 'prom-client';
import { CATALOGUE } from './catalogue.ts';
import type { MetricDeclaration } from './declaration.ts';
import { DistributionMetric } from './distribution-metric.ts';
import type { Meters, Read } from './meters.ts';

type AnyLabels = Readonly<Record<string, string | number>>;

/** Creates the meters of a process; a metric joins the registry with its first use. */
export function createMeters(registry: Registry): Meters {
  const metrics = new Map<string, unknown>();
  /** Creates a metric at its first use. */
  const once = <M>(name: keyof typeof CATALOGUE, create: (declaration: MetricDeclaration) => M): M => {
    const known = metrics.get(name) as M | undefined;
    if (known !== undefined) return known;
    const created = create(CATALOGUE[name]);
    metrics.set(name, created);
    return created;
  };
  const config = (name: string, { help, labels }: MetricDeclaration) => ({
    name,
    help,
    labelNames: Object.keys(labels),
    registers: [registry],
  });
  const counter = (name: keyof typeof CATALOGUE) =>
    once(name, (declaration) => {
      const metric = new Counter(config(name, declaration));
      // A rate includes the first increase of a series only if the series began at 0. Where values are not listed, their owner
      // begins their series.
      for (const labels of knownSeries(declaration.labels)) metric.inc(labels, 0);
      return { add: (labels: AnyLabels, amount = 1) => metric.inc(labels, amount) };
    });
  const failures = () => counter('steward_metrics_read_failures_total');
  const gauge = (name: keyof typeof CATALOGUE) =>
    once(name, (declaration) => {
      const all: Read<AnyLabels>[] = [];
      const failed = failures();
      failed.add({ metric: name }, 0);
      new Gauge({
        ...config(name, declaration),
        async collect() {
          const answers = await Promise.allSettled(all.map(async (each) => each()));
          // Nothing is awaited from here on, so that readers at the same time each see all series.
          this.reset();
          // Otherwise a gauge without labels is 0 where it cannot be read.
          if (Object.keys(declaration.labels).length === 0) this.remove();
          for (const answer of answers) {
            if (answer.status === 'rejected') failed.add({ metric: name });
            else for (const { labels, value } of answer.value) this.set(labels, value);
          }
        },
      });
      return { from: (read: Read<AnyLabels>) => void all.push(read) };
    });
  const meters = {
    counter,
    distribution: (name: keyof typeof CATALOGUE) =>
      once(name, (declaration) => {
        const metric = new DistributionMetric(name, declaration);
        registry.registerMetric(metric as unknown as Metric);
        return metric;
      }),
    gauge,
  };
  // The names and labels are those of the catalogue; that is checked where they are used.
  return meters as unknown as Meters;
}

/** The series that a metric always has: the combinations of its labels' values if all of these are listed. */
function knownSeries(labels: MetricDeclaration['labels']): Record<string, string>[] {
  let series: Record<string, string>[] = [{}];
  for (const [label, values] of Object.entries(labels)) {
    if (typeof values === 'string') return [];
    series = series.flatMap((each) => values.map((value) => ({ ...each, [label]: value })));
  }
  return series;
}
