/** A notice that may be sent. */
export interface Notice {
  /** Who is to read it. */
  readonly userId: string;
  readonly type: string;
  readonly stateKey: string | undefined;
  /** An object as JSON text. */
  readonly content: string;
  /** There is never a second notice with the same one. */
  readonly transaction: string;
}

/** The settings of server notices. */
export interface Notices {
  readonly enabled: boolean;
  /** The user id of who sends them. */
  readonly sender: string;
  readonly localpart: string;
  readonly displayName: string;
  /** The sender's avatar, as a content URI; undefined for none. */
  readonly avatarUrl: string | undefined;
  /** What new rooms for them are called. */
  readonly roomName: string;
}
