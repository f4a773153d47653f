/** A user, as one should be. */
export interface User {
  readonly id: string;
  /** Every token that was given out. */
  readonly tokens: string[];
  deactivated: boolean;
  erased: boolean;
  /** Whether what the user has sent was ordered to be redacted; nothing is sent after that. */
  silenced: boolean;
}

/** A message whose sender was told that it was sent. */
export interface Message {
  readonly id: string;
  readonly sender: string;
  /** Those of a burst were sent after all of the bursts before, and those of one sender one after the other. */
  readonly burst: number;
  /** Whether it was ordered to be redacted. */
  redacted: boolean;
}

/** How a room was ordered to be deleted. */
export interface Deletion {
  /** The id of the order, where it was told. */
  deleteId: string | undefined;
  /** What was told of how it ended, where that was told at once. */
  outcome: DeletionOutcome | undefined;
  readonly block: boolean;
  readonly purge: boolean;
  /** Who makes the room to which everybody is moved. */
  readonly newRoomUser: string | undefined;
  /** Who was in the room. */
  readonly members: ReadonlySet<string>;
}

/** What became of the members and aliases of a deleted room. */
export interface DeletionOutcome {
  readonly kicked_users: readonly string[];
  readonly failed_to_kick_users: readonly string[];
  readonly local_aliases: readonly string[];
  readonly new_room_id: string | null;
}

/** A room, as one should be. */
export interface Room {
  readonly id: string;
  readonly alias: string;
  /** Who made it, and alone may invite others. */
  readonly creator: string;
  readonly members: Set<string>;
  /** Who may still be about to leave, or was not told whether they came: users that were deactivated. */
  readonly doubtful: Set<string>;
  /** Who was there, or was asked to come, and is to be there no more or not yet. */
  readonly strangers: Set<string>;
  readonly messages: Message[];
  /** Who may have sent messages of which nobody was told, and how many. */
  readonly unheard: Map<string, number>;
  burst: number;
  /** What was sent in bursts below this one was ordered to be purged. */
  purgedBelow: number;
  deletion: Deletion | undefined;
}

/** An order that goes on after its acceptance, and where to ask about it. */
export interface Order {
  readonly kind: 'deletion' | 'history purge' | 'redaction';
  /** The path of its status. */
  readonly status: string;
}

/** What the users of a crew have been told, and what follows from that. */
export interface Model {
  readonly users: User[];
  readonly rooms: Room[];
  readonly orders: Order[];
  /** How many orders of each kind were accepted. */
  readonly accepted: Map<string, number>;
}

/** The model before anything has happened. */
export function emptyModel(): Model {
  return { users: [], rooms: [], orders: [], accepted: new Map() };
}

/** Counts one more of something. */
export function count(counts: Map<string, number>, what: string): void {
  counts.set(what, (counts.get(what) ?? 0) + 1);
}

/** Those who can do something. */
export function activeUsers({ users }: Model): readonly User[] {
  return users.filter(({ deactivated }) => !deactivated);
}

/** Rooms that nobody has ordered to be deleted. */
export function openRooms({ rooms }: Model): readonly Room[] {
  return rooms.filter(({ deletion }) => deletion === undefined);
}
