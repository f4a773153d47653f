/** A notice that passed all checks. */
export interface Notice {
  /** The id of its reader. */
  readonly userId: string;
  readonly type: string;
  readonly stateKey: string | undefined;
  /** An object as JSON text. */
  readonly content: string;
  /** Identifies the notice, so that it is sent only once. */
  readonly transaction: string;
}

/** The settings of server notices. */
export interface Notices {
  readonly enabled: boolean;
  /** The user id of their sender. */
  readonly sender: string;
  readonly localpart: string;
  readonly displayName: string;
  /** The sender's avatar, as a content URI; undefined for none. */
  readonly avatarUrl: string | undefined;
  /** The name of new rooms for notices. */
  readonly roomName: string;
  /** The avatar of rooms for notices, as a content URI; undefined to leave it as it is. */
  readonly roomAvatarUrl: string | undefined;
  /** The topic of rooms for notices; undefined to leave it as it is. */
  readonly roomTopic: string | undefined;
  /** Whether invited readers join without accepting the invitation. */
  readonly autoJoin: boolean;
}
