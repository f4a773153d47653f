/** The name of tasks that purge the history of a room; their key is the room id. */
export const PURGE_HISTORY = 'room.purge_history';

/** The parameters of a purge. */
export interface PurgeParams {
  /** The depth below which all events are purged, and the arrival of the event at that depth. */
  readonly depth: number;
  readonly arrival: number;
  /** Whether events of users of this server are purged too. */
  readonly deleteLocal: boolean;
}
