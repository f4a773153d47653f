/** The features of a room version (client-plane.md 5.5). */
export interface RoomVersion {
  /** As `m.room.create` names it. */
  readonly id: string;
  /** `opaque` ids are random; the others are the reference hash in standard or in URL-safe base64. */
  readonly eventIds: 'opaque' | 'base64' | 'base64url';
  /** References to other events are ids without a hash. */
  readonly plainReferences: boolean;
  /** A redaction is authorised when it is sent; later versions also check when it is applied. */
  readonly redactionsAuthorised: boolean;
  /** `m.room.aliases` has its own rules, and survives redaction. */
  readonly aliasEvents: boolean;
  /** Changes of the levels of notifications are restricted. */
  readonly notificationLevels: boolean;
  readonly knock: boolean;
  /** The join rule `restricted` is known, and its `allow` survives redaction. */
  readonly restricted: boolean;
  /** A redacted member event keeps its authoriser. */
  readonly redactionKeepsAuthoriser: boolean;
  readonly knockRestricted: boolean;
  /** Levels are integers; earlier versions also accept strings of digits. */
  readonly integerLevels: boolean;
  /** The creator is the sender of the create event; earlier versions name it in the content. */
  readonly implicitCreator: boolean;
  /** The target of a redaction is in its content; earlier versions have it at the top level. */
  readonly redactsInContent: boolean;
  /** Fewer top-level keys survive redaction than in earlier versions, and more keys of the content. */
  readonly tidyRedaction: boolean;
  /** The room id is the hash of the create event, which therefore does not contain it. */
  readonly hashRoomIds: boolean;
  /** Creators are above every level, and cannot be listed with a level. */
  readonly creatorsAboveLevels: boolean;
}

const NEWEST = 12;

function describe(n: number): RoomVersion {
  return {
    id: String(n),
    eventIds: n <= 2 ? 'opaque' : n === 3 ? 'base64' : 'base64url',
    plainReferences: n >= 3,
    redactionsAuthorised: n <= 2,
    aliasEvents: n <= 5,
    notificationLevels: n >= 6,
    knock: n >= 7,
    restricted: n >= 8,
    redactionKeepsAuthoriser: n >= 9,
    knockRestricted: n >= 10,
    integerLevels: n >= 10,
    implicitCreator: n >= 11,
    redactsInContent: n >= 11,
    tidyRedaction: n >= 11,
    hashRoomIds: n >= 12,
    creatorsAboveLevels: n >= 12,
  };
}

/** The known room versions by id, oldest first. */
export const ROOM_VERSIONS: ReadonlyMap<string, RoomVersion> = new Map(
  Array.from({ length: NEWEST }, (_, index) => describe(index + 1)).map((version) => [version.id, version]),
);

const newest = describe(NEWEST);

/** The version with an id; `undefined` for an unknown one. */
export function findRoomVersion(id: string): RoomVersion | undefined {
  return ROOM_VERSIONS.get(id);
}

/** The version by whose rules events are read; the newest for an unknown version, which only imported rooms have. */
export function readingVersion(id: string): RoomVersion {
  return ROOM_VERSIONS.get(id) ?? newest;
}
