/** The options of a set-up. */
export interface SetupOptions {
  /** Merged over the configuration of the set-up, like `STEWARD_CONFIG_OVERRIDES`: `null` removes a key. */
  readonly config?: Readonly<Record<string, unknown>>;
}

/** One way to run the server: which processes, on which engines. */
export interface Setup {
  /** For the titles of tests. */
  readonly name: string;
  /** Starts a new server on empty stores. */
  start(options: SetupOptions): Promise<RunningSetup>;
}

/** A running server. */
export interface RunningSetup {
  /** Its URL, without a trailing slash. */
  readonly url: string;
  /** The part of user ids after the colon. */
  readonly serverName: string;
  /** The secret of shared-secret registration; `undefined` or empty when registration is off. */
  readonly sharedSecret: string | undefined;
  /** Resolves when all effects of the answered requests have been applied. */
  whenIdle(): Promise<void>;
  /** The metrics of all processes, one after the other, in the text format of Prometheus. */
  metrics(): Promise<string>;
  /** Advances the server's clock by milliseconds. Absent where the server uses the clock of the machine. */
  readonly moveClock?: (ms: number) => void;
  /** Writes states that no request can create. Absent where tests have no access to the store. */
  readonly seed?: Seed;
  /** How programs reach the services without the gateway. Absent in one process, whose services have no ports. */
  readonly ports?: ServicePorts;
  /** Restarts the server on the same data, with these options instead of the earlier ones. */
  restart(options: SetupOptions): Promise<RunningSetup>;
  /** Stops the server and removes its data. */
  close(): Promise<void>;
}

/** A service with processes of its own. */
export type ServiceName = 'user' | 'room' | 'media' | 'moderation';

/** The RPC ports of the services. */
export interface ServicePorts {
  /** The URL of a process of a service. */
  urlOf(service: ServiceName): string;
  /** The credential by which the processes of the server authenticate each other. */
  readonly credential: string;
}

/** Writes states that no request can create. */
export interface Seed {
  /** Creates a further token of an account, without a device, and returns it. */
  token(init: SeededToken): Promise<string>;
  /** Sets flags and times of an account. */
  account(userId: string, fields: SeededAccount): Promise<void>;
  /** Creates a medium without bytes, with any upload time and any server. */
  media(media: SeededMedia): Promise<void>;
  /** Creates a task of the room service that another machine holds and never completes. */
  task(task: SeededTask): Promise<void>;
  /** Starts a consumer that fails on each event that the test publishes, until it is repaired. */
  brokenConsumer(name: string, options?: BrokenConsumerOptions): Promise<BrokenConsumer>;
}

/** A task to create. */
export interface SeededTask {
  readonly id: string;
  readonly kind: string;
  /** The room or user. */
  readonly target: string;
  readonly requestedBy: string;
  /** Its current step; the first one by default. */
  readonly step?: string;
}

/** The options of a broken consumer. */
export interface BrokenConsumerOptions {
  /** Whether it consumes entries of the audit log, rather than events that no other consumer subscribes to. */
  readonly ofAuditLog?: boolean;
}

/** A consumer that fails on the events that the test publishes. */
export interface BrokenConsumer {
  /** The ids of the events that it has handled. */
  readonly handled: readonly string[];
  /** Publishes an event of an aggregate, with the time 5. */
  publish(id: string, aggregate: string): Promise<void>;
  repair(): void;
}

/** A token to create. */
export interface SeededToken {
  /** The account that it acts as. */
  readonly userId: string;
  /** Its expiry, in milliseconds since the Unix epoch; unset for none. */
  readonly validUntilMs?: number;
}

/** The fields of an account to set. */
export interface SeededAccount {
  readonly is_guest?: boolean;
  readonly shadow_banned?: boolean;
  readonly suspended?: boolean;
  /** In milliseconds since the Unix epoch. */
  readonly last_seen_ts?: number;
}

/** A medium to create. */
export interface SeededMedia {
  /** The server that it was uploaded to. */
  readonly origin: string;
  readonly mediaId: string;
  /** The uploader; unset for media of other servers. */
  readonly userId?: string;
  /** In milliseconds since the Unix epoch. */
  readonly createdTs: number;
  /** In milliseconds since the Unix epoch; unset for never. */
  readonly lastAccessTs?: number;
  /** In bytes. */
  readonly length: number;
  readonly type?: string;
  readonly uploadName?: string;
  /** The hash of the bytes that it would have; unknown by default. */
  readonly sha256?: string;
}
