import type { Counter, Labels, Meters } from '@steward/telemetry';

/** Counts the attempts of a consumer to handle events. */
export class ConsumerCounts {
  readonly #labels: Labels<'steward_bus_handled_total'>;
  readonly #handled: Counter<Labels<'steward_bus_handled_total'>>;
  readonly #redeliveries: Counter<Labels<'steward_bus_redeliveries_total'>>;

  constructor(consumer: string, meters: Pick<Meters, 'counter'>) {
    this.#labels = { consumer };
    this.#handled = meters.counter('steward_bus_handled_total');
    this.#redeliveries = meters.counter('steward_bus_redeliveries_total');
    // Series begin at 0, so that a rate includes their first increase.
    this.#handled.add(this.#labels, 0);
    this.#redeliveries.add(this.#labels, 0);
  }

  /** An event was handled or given up. */
  completed(): void {
    this.#handled.add(this.#labels);
  }

  /** An attempt failed, and another will follow. */
  failed(): void {
    this.#redeliveries.add(this.#labels);
  }
}
