/**
 * What an action is done to and how: complete, so that carrying it out does not depend on what has become of the case, or of the
 * event, in between. Stored as JSON, and stated by requests in these keys.
 */
export interface ActionDetails {
  /** The user that it concerns. */
  readonly user_id?: string;
  readonly room_id?: string;
  readonly event_id?: string;
  /** The content URIs of the media to quarantine. No request states them. */
  readonly media?: readonly string[];
  /** For bans: from all rooms in which a user of this server may do so. */
  readonly rooms?: 'all';
  /** The reason in the events that are sent. */
  readonly reason?: string;
  /** For deactivations: whether the user is erased, too. */
  readonly erase?: boolean;
  /** For deletions of rooms, with the meaning of the documented endpoint. */
  readonly block?: boolean;
  readonly purge?: boolean;
  readonly force_purge?: boolean;
  readonly new_room_user_id?: string;
  readonly room_name?: string;
  readonly message?: string;
  /** The text of a notice. */
  readonly text?: string;
}

/** A key that a request can state. */
export type ActionKey = Exclude<keyof ActionDetails, 'media'>;
