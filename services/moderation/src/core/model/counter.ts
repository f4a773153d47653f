import { type Doc, declareCollection } from '@steward/store';

/** The last number assigned to a report of one kind. */
export interface Counter extends Doc {
  /** The kind. */
  readonly _id: string;
  readonly last: number;
}

/** The kinds of reports, which are numbered separately. */
export type ReportKind = 'event_reports' | 'user_reports' | 'room_reports' | 'media_reports';

/** The last number of each kind of report, by its name. */
export const counters = declareCollection<Counter>({
  name: 'moderation.counters',
  shardKey: null,
  indexes: [],
});
