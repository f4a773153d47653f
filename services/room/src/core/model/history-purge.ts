/** The name of tasks that purge the history of a room; their key is the room id. */
export const PURGE_HISTORY = 'room.purge_history';

/** The parameters of a purge. */
export interface PurgeParams {
  /** The depth below which everything goes, and the arrival of the event that gave it. */
  readonly depth: number;
  readonly arrival: number;
  /** Whether what users of this server sent goes as well. */
  readonly deleteLocal: boolean;
}
