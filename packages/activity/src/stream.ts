import type { MessageInitShape } from '@bufbuild/protobuf';
import type { ActivityEntrySchema } from '@steward/proto/steward/activity/v1/activity_pb.ts';
import type { Rights } from '@steward/rpc';
import type { StreamName } from './streams.ts';

/** The place of an entry in its stream. */
export interface Place {
  /** In milliseconds since the Unix epoch. */
  readonly ts: number;
  /** What distinguishes it from others of the same time. */
  readonly id: string;
}

/** What is read of one stream. */
export interface ActivityPage {
  readonly userId: string;
  /** The time of the newest entry, in milliseconds since the Unix epoch. */
  readonly until: number;
  /** The entry behind which the page begins; undefined for the newest. */
  readonly after: Place | undefined;
  readonly limit: number;
  /** Of the caller, who sees no changes of other scopes. */
  readonly rights: Rights;
}

/** What is read of several streams, each from its own place. */
export interface ActivityQuery extends Omit<ActivityPage, 'after'> {
  readonly streams: readonly StreamName[];
  readonly places: ReadonlyMap<StreamName, Place>;
}

/** An entry with its place; its time and type follow from place and stream. */
export interface PlacedEntry {
  readonly place: Place;
  readonly entry: Omit<
    MessageInitShape<typeof ActivityEntrySchema>,
    'ts' | 'type' | '$typeName' | '$unknown'
  >;
}

/** A stream of a user's activity, which a service reads from one index. */
export interface ActivityStream {
  readonly name: StreamName;
  /** The newest entries of the page, the newest first. */
  read(page: ActivityPage): Promise<readonly PlacedEntry[]>;
}
