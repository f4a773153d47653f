/** What a device has received of a room. */
export interface Received {
  /** The texts that it could decrypt. */
  readonly texts: readonly string[];
  /** How many messages it could not. */
  readonly unreadable: number;
}

/** One device of a user, with a client that encrypts. It synchronizes until it is closed. */
export interface Device {
  readonly id: string;
  join(roomId: string): Promise<void>;
  send(roomId: string, text: string): Promise<void>;
  received(roomId: string): Promise<Received>;
  /** The devices to which its next message is encrypted; none until it knows that the room is encrypted. */
  recipients(roomId: string): Promise<readonly string[]>;
  close(): Promise<void>;
}

/** How a device logs in. */
export interface Login {
  readonly url: string;
  readonly userId: string;
  readonly password: string;
  readonly deviceId: string;
}
