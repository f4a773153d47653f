/** A metric: what it counts or measures, and the labels that tell its series apart. */
export interface MetricDeclaration {
  readonly type: 'counter' | 'gauge' | 'histogram' | 'summary';
  readonly help: string;
  /** The values of each label: a closed list, or a description of values that the program itself names. */
  readonly labels: Readonly<Record<string, readonly string[] | string>>;
  /** The upper bounds of a histogram, ascending. */
  readonly buckets?: readonly number[];
}

/** The labels of a series: one of the listed values, or any value where the declaration describes them. */
export type LabelsOf<D extends MetricDeclaration> = {
  readonly [L in keyof D['labels']]: D['labels'][L] extends readonly (infer V)[] ? V : string | number;
};
