/** The expected state of a user. */
export interface User {
  readonly id: string;
  /** Every token that was issued. */
  readonly tokens: string[];
  deactivated: boolean;
  erased: boolean;
  /** Whether a redaction of the user's messages was ordered; the user sends nothing after that. */
  redactionOrdered: boolean;
}

/** An acknowledged message. */
export interface Message {
  readonly id: string;
  readonly sender: string;
  /** Messages of a burst were sent after those of earlier bursts, and those of one sender one after the other. */
  readonly burst: number;
  /** Whether its redaction was ordered. */
  redacted: boolean;
}

/** The ordered deletion of a room. */
export interface Deletion {
  /** The id of the deletion, if the server returned it. */
  deleteId: string | undefined;
  /** The outcome, if the server returned it. */
  outcome: DeletionOutcome | undefined;
  readonly block: boolean;
  readonly purge: boolean;
  /** The creator of the room that members are moved to. */
  readonly newRoomUser: string | undefined;
  /** The members before the deletion. */
  readonly members: ReadonlySet<string>;
  /** The invited users before the deletion. */
  readonly invited: ReadonlySet<string>;
}

/** The outcome of a deletion for members and aliases. */
export interface DeletionOutcome {
  readonly kicked_users: readonly string[];
  readonly failed_to_kick_users: readonly string[];
  readonly local_aliases: readonly string[];
  readonly new_room_id: string | null;
}

/** The expected state of a room. */
export interface Room {
  readonly id: string;
  readonly alias: string;
  /** The creator, who alone may invite others. */
  readonly creator: string;
  readonly members: Set<string>;
  /** Users whose membership is uncertain, because they are deactivated or their join was not answered. */
  readonly doubtful: Set<string>;
  /** Users with an invitation. */
  readonly invited: Set<string>;
  /** Users who left. */
  readonly outsiders: Set<string>;
  readonly messages: Message[];
  /** How many unacknowledged messages each user may have sent. */
  readonly unacknowledged: Map<string, number>;
  burst: number;
  /** The purge of all messages of bursts below this one was ordered. */
  purgedBelow: number;
  deletion: Deletion | undefined;
}

/** An order that is executed after its acceptance. */
export interface Order {
  readonly kind: 'deletion' | 'history purge' | 'redaction';
  /** The path of its status. */
  readonly status: string;
}

/** The expected state, from the answers that the clients of a workload received. */
export interface Model {
  readonly users: User[];
  readonly rooms: Room[];
  readonly orders: Order[];
  /** How many orders of each kind were accepted. */
  readonly accepted: Map<string, number>;
}

/** The model of an empty server. */
export function emptyModel(): Model {
  return { users: [], rooms: [], orders: [], accepted: new Map() };
}

/** Increments a count. */
export function count(counts: Map<string, number>, what: string): void {
  counts.set(what, (counts.get(what) ?? 0) + 1);
}

/** Users who are not deactivated. */
export function activeUsers({ users }: Model): readonly User[] {
  return users.filter(({ deactivated }) => !deactivated);
}

/** Rooms without an ordered deletion. */
export function openRooms({ rooms }: Model): readonly Room[] {
  return rooms.filter(({ deletion }) => deletion === undefined);
}
