import { path } from '@steward/testing';
import type { Answer, KeepAliveClient } from '@steward/topology/testing';
import type { KnownAccount } from './account-client.ts';
import type { AccountState } from './account-model.ts';
import { compareAccount, expectedOf, observeToken } from './observe-account.ts';

/** Everything that the API shows of an account. */
interface Observation {
  readonly account: Answer;
  readonly devices: readonly string[];
  readonly uses: ReadonlyMap<string, string | undefined>;
  /** The passwords that log in. */
  readonly passwords: ReadonlySet<string>;
  readonly facts: readonly string[] | undefined;
}

/**
 * Compares accounts with their expected states, through every endpoint that shows a change of them at once.
 *
 * @param facts the facts that were published about each account, in order; `undefined` where they are not kept
 * @returns a line for each account that differs
 */
export async function checkAccounts(
  http: KeepAliveClient,
  adminToken: string,
  accounts: readonly KnownAccount[],
  facts: ReadonlyMap<string, readonly string[]> | undefined,
): Promise<readonly string[]> {
  const faults: string[] = [];
  for (const known of accounts) {
    // Not those of requests about it.
    const own = facts && (facts.get(known.userId) ?? []).filter((type) => type.startsWith('user.'));
    const observation = await look(http, adminToken, known, own);
    const differences = known.states.map((state) => compare(state, known, observation));
    if (differences.every((list) => list.length > 0)) {
      faults.push(`${known.userId}: ${differences.map((list) => list.join(', ')).join('; or ')}`);
    }
  }
  return faults;
}

async function look(
  http: KeepAliveClient,
  adminToken: string,
  { userId, states, tokens }: KnownAccount,
  facts: readonly string[] | undefined,
): Promise<Observation> {
  const at = path`/_service/admin/v2/users/${userId}`;
  const account = await http.send('GET', at, { token: adminToken });
  const { body } = await http.send('GET', `${at}/devices`, { token: adminToken });
  const uses = new Map<string, string | undefined>();
  for (const token of tokens) uses.set(token, await observeToken(http, token));
  const passwords = new Set<string>();
  for (const password of new Set(states.map((state) => state.password))) {
    if (password !== null && (await isRight(http, userId, password))) passwords.add(password);
  }
  const devices = ((body.devices ?? []) as ListedDevice[]).map(({ device_id: id, display_name: name }) =>
    deviceLine(id, name),
  );
  return { account, devices, uses, passwords, facts };
}

interface ListedDevice {
  readonly device_id: string;
  readonly display_name?: string | null;
}

const deviceLine = (id: string, name: string | null | undefined) => (name ? `${id}, ${name}` : id);

/** Whether a password is that of the account, which the answer to a locked account tells as well. May begin a session. */
async function isRight(http: KeepAliveClient, userId: string, password: string): Promise<boolean> {
  const identifier = { type: 'm.id.user', user: userId };
  const body = { type: 'm.login.password', identifier, password };
  return (await http.send('POST', '/_proto/client/v3/login', { body })).status !== 403;
}

function compare(state: AccountState, { states, tokens }: KnownAccount, observation: Observation): string[] {
  const differences = compareAccount(state, observation.account);
  const devices = state.sessions
    .flatMap(({ device, name }) => (device === undefined ? [] : deviceLine(device, name)))
    .sort();
  if (devices.join() !== [...observation.devices].sort().join()) {
    differences.push(`its devices are ${observation.devices}, not ${devices}`);
  }
  for (const token of tokens) {
    const use = observation.uses.get(token);
    if (use !== expectedOf(state, token)) differences.push(`a token ${use}`);
  }
  for (const { password } of states) {
    const right = password !== null && observation.passwords.has(password);
    if (password !== null && right !== (password === state.password)) {
      differences.push(right ? 'another password is right' : 'its password is wrong');
    }
  }
  if (observation.facts && observation.facts.join() !== state.facts.join()) {
    differences.push(`the published facts are ${observation.facts}, not ${state.facts}`);
  }
  return differences;
}
