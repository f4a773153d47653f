import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from '@steward/kernel';
import { type Answer, choose, type KeepAliveClient, Unanswered } from '@steward/topology/testing';
import {
  ABSENT,
  type AccountRequest,
  type AccountState,
  type Change,
  nextChange,
  REGISTRATION,
  signed,
  withToken,
} from './account-model.ts';
import { BUSY } from './caller.ts';
import type { AcknowledgedRequest } from './check-feed.ts';
import { compareAccount, expectedOf, observeAccount, observeToken } from './observe-account.ts';

/** How many accounts a client changes in turn. */
const ACCOUNTS = 4;

/** One step in this many only observes an account. */
const STEPS_PER_LOOK = 4;

/** The pause of a client that no gateway answers, in milliseconds. */
const AWAY_PAUSE_MS = 20;

/** An account and what the client knows about it. */
export interface KnownAccount {
  readonly userId: string;
  /** The expected state; several possible ones after a change whose outcome is unknown. */
  states: readonly [AccountState, ...AccountState[]];
  /** Every token that was issued for it. */
  readonly tokens: Set<string>;
}

/** Changes accounts that no other client changes. */
export interface AccountClient {
  readonly accounts: readonly KnownAccount[];
  /** The changes by the administrator that were accepted, in the order of their answers. */
  readonly acknowledged: readonly AcknowledgedRequest[];
  /** How many changes were accepted. */
  readonly accepted: number;
  /**
   * Makes one change, observes an account, or finds no gateway.
   *
   * @throws Error when the server's state or answer is wrong
   */
  step(): Promise<void>;
}

/**
 * A client that makes random changes and records which were accepted. It no longer changes an account after a change
 * of it went unanswered.
 */
export function createAccountClient(options: {
  readonly name: string;
  readonly random: Random;
  readonly http: KeepAliveClient;
  /** For requests sent at the same time. */
  readonly concurrent: KeepAliveClient;
  readonly adminToken: string;
  /** Called for every answered step. */
  readonly onStep: () => void;
}): AccountClient {
  const { name, random, http, concurrent, adminToken, onStep } = options;
  const accounts: KnownAccount[] = [];
  const acknowledged: AcknowledgedRequest[] = [];
  let made = 0;
  let accepted = 0;
  const fresh = (what: string) => `${what}-${name}-${made++}`;
  const pick = (): KnownAccount => {
    const certain = accounts.filter(({ states }) => states.length === 1);
    if (certain.length >= ACCOUNTS) return choose(random, certain);
    const account: KnownAccount = {
      userId: `@${fresh('account')}:test`,
      states: [ABSENT],
      tokens: new Set(),
    };
    accounts.push(account);
    return account;
  };

  const ask = (client: KeepAliveClient, { verb, path, body, by }: AccountRequest, requestId?: string) => {
    const token = by === 'admin' ? adminToken : by === 'anybody' ? undefined : by.token;
    return client.send(verb, path, { body, token, ...(requestId === undefined ? {} : { requestId }) });
  };
  /** Makes a change; takes note of it if an administrator's was accepted. */
  const order = async (target: string, change: Change) => {
    if (change.by !== 'admin') return ask(http, change);
    const requestId = fresh('request');
    const answer = await ask(http, change, requestId);
    if (answer.status < 300) acknowledged.push({ requestId, target });
    return answer;
  };
  const askFor = async (target: string, change: Change): Promise<Answer> => {
    if (change.path !== REGISTRATION) return order(target, change);
    const word = await ask(http, { ...change, verb: 'GET', body: {} });
    return word.status === 200 ? ask(http, { ...change, body: signed(change.body, word.body.nonce) }) : word;
  };

  const change = async (account: KnownAccount, state: AccountState, change: Change) => {
    const { after, partialStates = [] } = change;
    account.states = [state, after, ...partialStates];
    const answer = await askFor(account.userId, change).catch((error) => {
      if (error instanceof Unanswered && error.how === 'refused') account.states = [state];
      throw error;
    });
    if (isBusy(change, answer)) return;
    accepted++;
    const given = answer.body.access_token;
    account.states = [given === undefined ? after : withToken(after, given)];
    if (given !== undefined) account.tokens.add(given);
  };

  /** A concurrent login, whatever its outcome, is ended by a change that was answered. */
  const changeDuringLogin = async (account: KnownAccount, state: AccountState, change: Change) => {
    const { after, partialStates: [begun = after, stray = after] = [], concurrent: login } = change;
    account.states = [state, after, begun, stray];
    const [ended, entered] = await Promise.allSettled([
      order(account.userId, change),
      ask(concurrent, login ?? change),
    ]);
    const answered = entered.status === 'fulfilled' && !BUSY.has(entered.value.status);
    const given = answered ? entered.value.body.access_token : undefined;
    if (given !== undefined) {
      account.tokens.add(given);
      account.states = [state, after, withToken(begun, given), stray];
    }
    if (ended.status === 'rejected') throw ended.reason;
    if (!isBusy(change, ended.value)) {
      accepted++;
      account.states = answered ? [after] : [after, stray];
    }
    if (entered.status === 'rejected') throw entered.reason;
  };

  const look = async (account: KnownAccount, state: AccountState) => {
    const found = await observeAccount(http, adminToken, account.userId);
    const differences = found === undefined ? [] : compareAccount(state, found);
    for (const token of account.tokens) {
      const how = await observeToken(http, token);
      if (how !== undefined && how !== expectedOf(state, token)) differences.push(`a token ${how}`);
    }
    if (differences.length > 0) throw new Error(`${account.userId}: ${differences.join(', ')}`);
  };

  return {
    accounts,
    acknowledged,
    get accepted() {
      return accepted;
    },
    async step() {
      const account = pick();
      const [state] = account.states;
      const looking = random.below(STEPS_PER_LOOK) === 0;
      try {
        if (looking) await look(account, state);
        else {
          const next = nextChange(random, state, account.userId, fresh);
          await (next.concurrent ? changeDuringLogin : change)(account, state, next);
        }
        onStep();
      } catch (error) {
        if (!(error instanceof Unanswered)) throw error;
        await sleep(AWAY_PAUSE_MS);
      }
    },
  };
}

/**
 * Whether the server cannot decide on a change now.
 *
 * @throws Error when it refuses the change
 */
function isBusy({ verb, path }: Change, { status, text }: Answer): boolean {
  if (status >= 300 && !BUSY.has(status)) throw new Error(`${verb} ${path}: ${status} ${text}`);
  return BUSY.has(status);
}
