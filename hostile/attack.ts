/** The server under attack, as an attacker sees it who has its address and some accounts. */
export interface Target {
  /** The URL of the server. */
  readonly url: string;
  /** The URLs of the ports of the services; empty for a server in one process, which has none. */
  readonly services: readonly string[];
  /** The token of an administrator, for the preparation and the inspection of an attack. */
  readonly admin: string;
  /** How long an attack that has no end of its own continues, in milliseconds. */
  readonly durationMs: number;
  /** A word that no other attack on this server uses, for names of accounts and rooms. */
  readonly label: string;
  /**
   * Whether no other attack runs at the same time. If others do, only the administrator is promised to be served: other
   * users share the attackers' address, whose limits are reached.
   */
  readonly alone: boolean;
}

/** The result of an attack. */
export interface Outcome {
  /** The promises that the server did not keep; empty when it held. */
  readonly broken: readonly string[];
  /** The figures that the suite prints. */
  readonly figures: readonly string[];
}

/** One attack. Its file is named after it. */
export interface Attack {
  /** The name that `--only` selects. */
  readonly name: string;
  /** What the attacker does, in a few words. */
  readonly title: string;
  /** Whether the attack wears the server down, so that it also takes part in the run of all such attacks at once. */
  readonly starves: boolean;
  /** Whether the attack needs ports of services, which a server in one process does not have. */
  readonly onServices?: boolean;
  /** By how many MB a process may grow while the attack is carried out alone. */
  readonly mostGrowthMb?: number;
  /**
   * Creates what the attack needs, such as accounts, while the server is not under attack. The returned function carries the
   * attack out.
   */
  prepare(target: Target): Promise<() => Promise<Outcome>>;
}
