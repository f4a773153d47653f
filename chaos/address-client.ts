import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from '@steward/kernel';
import { path } from '@steward/testing';
import { choose, type KeepAliveClient, Unanswered } from '@steward/topology/testing';
import { BUSY } from './caller.ts';
import type { ContestedAddresses } from './contested-addresses.ts';

/** How many accounts a client has at a time. */
const ACCOUNTS = 2;

/** One claim in this many deactivates the account, which gives up all addresses; another account takes its place. */
const CLAIMS_PER_END = 8;

/** The pause of a client that no gateway answers, in milliseconds. */
const AWAY_PAUSE_MS = 20;

/** Makes accounts claim addresses that accounts of other clients claim as well. */
export interface AddressClient {
  /** How many claims were accepted. */
  readonly accepted: number;
  /**
   * Makes one claim, or finds no gateway.
   *
   * @throws Error when the claim is refused
   */
  step(): Promise<void>;
}

/** A client that makes random claims. */
export function createAddressClient(options: {
  readonly name: string;
  readonly random: Random;
  readonly http: KeepAliveClient;
  readonly adminToken: string;
  readonly contested: ContestedAddresses;
  /** Called for every answered claim. */
  readonly onStep: () => void;
}): AddressClient {
  const { name, random, http, adminToken: token, contested, onStep } = options;
  let made = 0;
  let accepted = 0;
  const fresh = () => `@claimant-${name}-${made++}:test`;
  const accounts = Array.from({ length: ACCOUNTS }, fresh);
  const existing = new Set<string>();

  const claim = async (userId: string, ends: boolean) => {
    const addresses = ends ? [] : contested.addresses.filter(() => random.below(2) === 0);
    const open = contested.begin(userId, addresses);
    const threepids = addresses.map((address) => ({ medium: 'email', address }));
    const body = ends ? { deactivated: true } : { threepids };
    const at = path`/_service/admin/v2/users/${userId}`;
    const { status, text } = await http.send('PUT', at, { token, body }).catch((error) => {
      if (error instanceof Unanswered && error.how === 'refused') open.refused();
      throw error;
    });
    onStep();
    if (BUSY.has(status)) return;
    if (status >= 300) throw new Error(`PUT ${at} ${JSON.stringify(body)}: ${status} ${text}`);
    open.answered();
    existing.add(userId);
    accepted++;
  };

  return {
    get accepted() {
      return accepted;
    },
    async step() {
      const userId = choose(random, accounts);
      const ends = random.below(CLAIMS_PER_END) === 0 && existing.has(userId);
      if (ends) accounts[accounts.indexOf(userId)] = fresh();
      try {
        await claim(userId, ends);
      } catch (error) {
        if (!(error instanceof Unanswered)) throw error;
        await sleep(AWAY_PAUSE_MS);
      }
    },
  };
}

/**
 * Compares the holders of the addresses with the claims.
 *
 * @returns a line for each difference
 */
export async function checkContested(
  http: KeepAliveClient,
  adminToken: string,
  contested: ContestedAddresses,
): Promise<readonly string[]> {
  const holders = new Map<string, string[]>();
  for (const userId of contested.claimants()) {
    const at = path`/_service/admin/v2/users/${userId}`;
    const { body } = await http.send('GET', at, { token: adminToken });
    for (const { address } of (body.threepids ?? []) as { address: string }[]) {
      holders.set(address, [...(holders.get(address) ?? []), userId]);
    }
  }
  const faults = [...contested.problems(holders)];
  for (const address of contested.addresses) {
    const at = path`/_service/admin/v1/threepid/email/users/${address}`;
    const { body } = await http.send('GET', at, { token: adminToken });
    const [holder] = holders.get(address) ?? [];
    if (body.user_id !== holder) faults.push(`${address} is found with ${body.user_id}, not ${holder}`);
  }
  return faults;
}
