/** The size of a data set. */
export interface Scale {
  readonly users: number;
  readonly rooms: number;
  readonly media: number;
  readonly reports: number;
  readonly events: number;
}

/** The scales that the bench knows, by number of users. */
const SCALES: ReadonlyMap<number, Scale> = new Map(
  [
    { users: 1_000, rooms: 200, media: 2_000, reports: 200, events: 5_000 },
    { users: 100_000, rooms: 10_000, media: 200_000, reports: 20_000, events: 139_000 },
    { users: 1_000_000, rooms: 200_000, media: 2_000_000, reports: 200_000, events: 5_000_000 },
  ].map((scale) => [scale.users, scale]),
);

/** @throws Error when the bench does not know the scale */
export function scaleOf(users: number): Scale {
  const scale = SCALES.get(users);
  if (!scale) throw new Error(`The numbers of users are ${[...SCALES.keys()].join(', ')}`);
  return scale;
}

/** The objects of each kind of job: one for each repetition. */
export const JOBS = 3;

/** The members of the large room, and of the rooms that are deleted. */
export const LARGE_ROOM_MEMBERS = 1_000;
export const DELETED_ROOM_MEMBERS = 200;

/** The rooms of the accounts that are erased, and the messages of the rooms that are purged. */
export const ROOMS_OF_ERASED = 50;
export const PURGED_MESSAGES = 2_000;

/** The media of the users whose media are quarantined. */
export const MEDIA_OF_QUARANTINED = 500;

/** The users with devices, and the devices of each. */
export const USERS_WITH_DEVICES = 1_000;
export const DEVICES = 2;

/** The accounts that requests change in turn. */
export const CHANGED_ACCOUNTS = 900;
