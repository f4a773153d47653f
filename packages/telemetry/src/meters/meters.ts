import type { CATALOGUE } from './catalogue.ts';
import type { LabelsOf } from './declaration.ts';

type Catalogue = typeof CATALOGUE;

/** The name of a metric of a type. */
export type NameOf<T extends Catalogue[keyof Catalogue]['type']> = {
  [N in keyof Catalogue]: Catalogue[N]['type'] extends T ? N : never;
}[keyof Catalogue];

/** The labels of a metric's series. */
export type Labels<N extends keyof Catalogue> = LabelsOf<Catalogue[N]>;

/** A number that only rises. */
export interface Counter<L> {
  /** @param amount 0 or more; 1 unless given */
  add(labels: L, amount?: number): void;
}

/** The distribution of a value, or, as a summary, its sum and its number of observations. */
export interface Distribution<L> {
  observe(labels: L, value: number): void;
  /** The observer of one series, for places where even a look-up by labels takes too long. */
  of(labels: L): (value: number) => void;
}

/** A value of a gauge, and the labels of its series. */
export interface Measured<L> {
  readonly labels: L;
  readonly value: number;
}

/** Reads series of a gauge. */
export type Read<L> = () => readonly Measured<L>[] | Promise<readonly Measured<L>[]>;

/** A value that is read whenever the metrics are read. */
export interface Gauge<L> {
  /**
   * Adds series, which are left out while `read` fails. What it asks the store or the broker for must be `remembered`,
   * which bounds how often and how long it asks.
   */
  from(read: Read<L>): void;
}

/**
 * What a process counts and measures, by the names of the catalogue. An observation costs much less than a microsecond,
 * never waits and never throws. The same name always returns the same metric.
 */
export interface Meters {
  counter<N extends NameOf<'counter'>>(name: N): Counter<Labels<N>>;
  distribution<N extends NameOf<'histogram' | 'summary'>>(name: N): Distribution<Labels<N>>;
  gauge<N extends NameOf<'gauge'>>(name: N): Gauge<Labels<N>>;
}

/** Counts nothing: for commands and tests. */
export const noMeters: Meters = {
  counter: () => ({ add() {} }),
  distribution: () => ({ observe() {}, of: () => () => {} }),
  gauge: () => ({ from() {} }),
};
