/** How a set-up is started. */
export interface SetupOptions {
  /** Laid over the set-up's own configuration as `STEWARD_CONFIG_OVERRIDES` is: `null` takes a key away. */
  readonly config?: Readonly<Record<string, unknown>>;
}

/** One way to run the server: which processes, on which engines. */
export interface Setup {
  /** For the titles of tests. */
  readonly name: string;
  /** Starts a server of its own, on empty stores. */
  start(options: SetupOptions): Promise<RunningSetup>;
}

/** A server that runs. */
export interface RunningSetup {
  /** Where it listens, without a slash at the end. */
  readonly url: string;
  /** The part of user ids after the colon. */
  readonly serverName: string;
  /** The secret of shared-secret registration; `undefined` or empty when that is off. */
  readonly sharedSecret: string | undefined;
  /** Resolves when every effect of what was answered so far has come to pass. */
  settle(): Promise<void>;
  /** Moves the server's clock forward, by milliseconds. Absent where the clock is the machine's. */
  readonly moveClock?: (ms: number) => void;
  /** Writes what no request can bring about yet. Absent where tests cannot reach the store. */
  readonly seed?: Seed;
  /** Stops the server and starts it again on the same data, with these options in place of the earlier ones. */
  restart(options: SetupOptions): Promise<RunningSetup>;
  /** Stops the server and removes its data. */
  close(): Promise<void>;
}

/** Brings an account into a state that no request can bring about yet. */
export interface Seed {
  /** Gives an account a further token, which has no device, and returns it. */
  token(init: SeededToken): Promise<string>;
  /** Sets flags and times of an account. */
  account(userId: string, fields: SeededAccount): Promise<void>;
  /** Records a medium without bytes, as if it had been uploaded at some time, or be of another server. */
  media(media: SeededMedia): Promise<void>;
  /** Records a task of the room service that another machine works on, without ever coming further. */
  task(task: SeededTask): Promise<void>;
  /** Starts a consumer that gives up each event at once, until it is mended. */
  brokenConsumer(name: string): Promise<BrokenConsumer>;
}

/** A task to be recorded. */
export interface SeededTask {
  readonly id: string;
  readonly kind: string;
  /** The room or user. */
  readonly target: string;
  readonly requestedBy: string;
  /** How far it has come; to its first step unless given. */
  readonly step?: string;
}

/** A consumer of events that only this test tells of. */
export interface BrokenConsumer {
  /** The ids of the events that it has dealt with. */
  readonly handled: readonly string[];
  /** Tells it of an event that has happened to an aggregate at the time 5. */
  tell(id: string, aggregate: string): Promise<void>;
  mend(): void;
}

/** A token to be made. */
export interface SeededToken {
  /** The account that it acts as. */
  readonly userId: string;
  /** Until when it is good, in milliseconds since the Unix epoch; for ever when unset. */
  readonly validUntilMs?: number;
}

/** What to set of an account; the rest stays. */
export interface SeededAccount {
  readonly is_guest?: boolean;
  readonly shadow_banned?: boolean;
  readonly suspended?: boolean;
  /** In milliseconds since the Unix epoch. */
  readonly last_seen_ts?: number;
}

/** A medium to be recorded; the rest is unset. */
export interface SeededMedia {
  /** The server that it was uploaded to. */
  readonly origin: string;
  readonly mediaId: string;
  /** Who uploaded it; unset for media of other servers. */
  readonly userId?: string;
  /** In milliseconds since the Unix epoch. */
  readonly createdTs: number;
  /** In milliseconds since the Unix epoch; unset for never. */
  readonly lastAccessTs?: number;
  /** In bytes. */
  readonly length: number;
  readonly type?: string;
  readonly uploadName?: string;
}
