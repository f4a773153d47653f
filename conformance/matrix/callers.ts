import { type Actor, type HttpRequest, path, type World } from '@steward/testing';
import { TOTP } from 'otpauth';
import { Browser } from '../browser.ts';
import { ADMITTED, expectedOf, LACKS_SECOND_FACTOR, type Outcome, STEP_UP_REQUIRED } from './outcome.ts';
import { ROLE_SCOPES, SCOPES, STEP_UP_SCOPES } from './role-scopes.ts';

/** A caller with some rights. */
export interface Caller {
  /** For the reports of failed tests. */
  readonly name: string;
  /** What a request is sent with. */
  readonly request: HttpRequest;
  /** The secret that a gateway takes from such a request. */
  readonly token: string;
  readonly scopes: readonly string[];
  /** The refusal of everything that the caller sends; unset for a caller with a valid credential. */
  readonly refused?: Outcome;
  /** Whether it has an administrator session whose user proved nothing. */
  readonly isUnproved?: boolean;
}

type RoleName = keyof typeof ROLE_SCOPES;

/** The outcome of a call that requires all of some scopes, in the order in which they are checked. */
export function expectedFor({ refused, scopes, isUnproved }: Caller, required: readonly string[]): Outcome {
  const outcome = refused ?? expectedOf(scopes, required);
  const needsProof = isUnproved && required.some((scope) => STEP_UP_SCOPES.includes(scope));
  return outcome === ADMITTED && needsProof ? STEP_UP_REQUIRED : outcome;
}

const known = new WeakMap<World, Callers>();

/** The callers of a world, which all chapters with this world share. */
export function callersOf(world: World): Callers {
  const callers = known.get(world) ?? new Callers(world);
  known.set(world, callers);
  return callers;
}

/** Callers by their credentials and rights. Each is created once, with the first request for it. */
export class Callers {
  readonly #world: World;
  readonly #known = new Map<string, Promise<Caller>>();
  #unproved: Promise<readonly Caller[]> | undefined;

  constructor(world: World) {
    this.#world = world;
  }

  /** Access tokens: one for each built-in role, and one without any scope. */
  everyRole(): Promise<readonly Caller[]> {
    const roles = Object.keys(ROLE_SCOPES) as RoleName[];
    return Promise.all([...roles.map((role) => this.#ofRole(role)), this.with()]);
  }

  /** Access tokens: one for each scope alone. */
  everyScope(): Promise<readonly Caller[]> {
    return Promise.all(SCOPES.map((scope) => this.with(scope)));
  }

  /** Access tokens that show whether a scope is what is required: one with it alone, and one with all others. */
  around(scope: string): Promise<readonly Caller[]> {
    return Promise.all([this.with(scope), this.without(scope)]);
  }

  /** An access token with exactly these scopes. */
  with(...scopes: readonly string[]): Promise<Caller> {
    return this.#ofScopes(scopes.length === 0 ? 'no scope' : `only ${scopes.join(' and ')}`, scopes);
  }

  /** An access token with all scopes but one. */
  without(scope: string): Promise<Caller> {
    return this.#ofScopes(`all but ${scope}`, allBut(scope));
  }

  /** Automation tokens: as `around`, and ones that are refused whatever is called. */
  automationTokens(scope: string): Promise<readonly Caller[]> {
    const all = { scopes: SCOPES };
    return Promise.all([
      this.#automationToken(`automation token, only ${scope}`, { scopes: [scope] }),
      this.#automationToken(`automation token, all but ${scope}`, { scopes: allBut(scope) }),
      this.#automationToken('automation token, expired', { ...all, expires_in_ms: 1 }, EXPIRED),
      this.#automationToken(
        'automation token, elsewhere',
        { ...all, allowed_addresses: ['192.0.2.0/24', '2001:db8::/32'] },
        WRONG_ADDRESS,
      ),
      this.#once('automation token, revoked', async () => {
        const { id, caller } = await this.#makeToken(
          'automation token, revoked',
          all,
          UNKNOWN_AUTOMATION_TOKEN,
        );
        accept(await this.#world.admin.delete(path`/_service/admin/v1/tokens/${id}`));
        return caller;
      }),
    ]);
  }

  /** Automation tokens with built-in roles. */
  automationTokensOfRoles(): Promise<readonly Caller[]> {
    return Promise.all(
      (['auditor', 'admin'] as const).map((role) =>
        this.#automationToken(`automation token of the role ${role}`, { role }),
      ),
    );
  }

  /** Administrator sessions: one of an administrator with a proof, then one of each built-in role without a proof. */
  adminSessions(): Promise<readonly Caller[]> {
    const roles = Object.keys(ROLE_SCOPES) as RoleName[];
    return Promise.all([
      this.#once('session, proved', async () => {
        const browser = new Browser(this.#world);
        accept(await browser.signIn(await this.#world.user('session', { admin: true })));
        return fromBrowser('session, proved', browser, { scopes: SCOPES });
      }),
      ...roles.map((role) => {
        const name = `session of the role ${role}, unproved`;
        return this.#once(name, async () => {
          const browser = new Browser(this.#world);
          const { token } = await this.#user(role);
          accept(await browser.send('POST', '/_service/admin/v1/session', { token }));
          return fromBrowser(name, browser, { scopes: ROLE_SCOPES[role], isUnproved: true });
        });
      }),
    ]);
  }

  /** Tokens with which an administrator acts as another user: with a role, and without. */
  actingAsOthers(): Promise<readonly Caller[]> {
    return Promise.all([
      this.#once('acting as an auditor', () => this.#actingAs('acting as an auditor', 'auditor')),
      this.#once('acting as a user', () => this.#actingAs('acting as a user', undefined)),
    ]);
  }

  /** What an administrator has who enrolled a second factor afterwards: an access token, and a session. */
  async withoutSecondFactor(): Promise<readonly Caller[]> {
    this.#unproved ??= this.#enrolled();
    return this.#unproved;
  }

  async #enrolled(): Promise<readonly Caller[]> {
    const user = await this.#world.user('enrolled', { admin: true });
    const browser = new Browser(this.#world);
    accept(await browser.signIn(user));
    // The session is proved before the factor is confirmed.
    this.#world.moveClock?.(1);
    const target = '/_service/admin/v1/me/totp';
    const begun = await user.post<{ secret: string }>(target, { body: { password: user.password } });
    const { secret } = accept(begun);
    const { server_ts: timestamp } = accept(await user.get<{ server_ts: number }>(target));
    const totp = new TOTP({ secret }).generate({ timestamp });
    accept(await user.post(`${target}/confirm`, { body: { totp } }));
    return [
      fromToken('access token, of an account with a second factor', user.token, {
        scopes: [],
        refused: LACKS_SECOND_FACTOR,
      }),
      fromBrowser('session, without the second factor', browser, { scopes: [], refused: STEP_UP_REQUIRED }),
    ];
  }

  async #actingAs(name: string, role: RoleName | undefined): Promise<Caller> {
    const target = path`/_service/admin/v1/users/${await this.#account(role)}/login`;
    const reply = await this.#world.admin.post<{ access_token: string }>(target, { body: {} });
    const scopes = role === undefined ? [] : ROLE_SCOPES[role];
    return fromToken(name, accept(reply).access_token, { scopes });
  }

  #ofRole(role: RoleName): Promise<Caller> {
    const name = `the role ${role}`;
    return this.#once(name, async () => {
      const token = await this.#tokenOf(await this.#account(role));
      return fromToken(name, token, { scopes: ROLE_SCOPES[role] });
    });
  }

  #ofScopes(name: string, scopes: readonly string[]): Promise<Caller> {
    return this.#once(name, async () => {
      const role = scopes.length === 0 ? undefined : await this.#role(scopes);
      return fromToken(name, await this.#tokenOf(await this.#account(role)), { scopes });
    });
  }

  #automationToken(name: string, body: TokenRequest, refused?: Outcome): Promise<Caller> {
    return this.#once(name, async () => (await this.#makeToken(name, body, refused)).caller);
  }

  async #makeToken(name: string, body: TokenRequest, refused?: Outcome) {
    const { admin, moveClock } = this.#world;
    const reply = await admin.post<{ id: string; token: string }>('/_service/admin/v1/tokens', {
      body: { name, ...body },
    });
    const { id, token } = accept(reply);
    if (body.expires_in_ms) moveClock?.(body.expires_in_ms);
    const scopes = body.scopes ?? ROLE_SCOPES[body.role ?? 'admin'];
    return { id, caller: fromToken(name, token, { scopes, ...(refused && { refused }) }) };
  }

  async #role(scopes: readonly string[]): Promise<string> {
    const name = this.#world.freshName('matrix');
    const body = { name, description: '', scopes };
    accept(await this.#world.admin.post('/_service/admin/v1/roles', { body }));
    return name;
  }

  /** A new account. It is not logged in, because passwords take long. */
  async #account(role: string | undefined): Promise<string> {
    const userId = await this.#world.account('caller');
    await this.#give(userId, role);
    return userId;
  }

  async #user(role: string): Promise<Actor> {
    const user = await this.#world.user('caller');
    await this.#give(user.userId, role);
    return user;
  }

  async #give(userId: string, role: string | undefined): Promise<void> {
    if (role === undefined) return;
    const target = path`/_service/admin/v1/users/${userId}/roles`;
    accept(await this.#world.admin.put(target, { body: { roles: [role] } }));
  }

  async #tokenOf(userId: string): Promise<string> {
    const { seed } = this.#world;
    if (!seed) throw new Error('The set-up cannot make tokens');
    return seed.token({ userId });
  }

  #once(name: string, make: () => Promise<Caller>): Promise<Caller> {
    const caller = this.#known.get(name) ?? make();
    this.#known.set(name, caller);
    return caller;
  }
}

const EXPIRED = '401 M_UNKNOWN_TOKEN: The automation token has expired';
const UNKNOWN_AUTOMATION_TOKEN = '401 M_UNKNOWN_TOKEN: Unknown automation token';
const WRONG_ADDRESS = '403 M_FORBIDDEN: The automation token is not accepted from this address';

interface TokenRequest {
  readonly scopes?: readonly string[];
  readonly role?: RoleName;
  readonly expires_in_ms?: number;
  readonly allowed_addresses?: readonly string[];
}

function allBut(scope: string): readonly string[] {
  return SCOPES.filter((each) => each !== scope);
}

function fromToken(name: string, token: string, rights: Omit<Caller, 'name' | 'request' | 'token'>): Caller {
  return { name, request: { token }, token, ...rights };
}

function fromBrowser(
  name: string,
  { cookie, origin }: Browser,
  rights: Omit<Caller, 'name' | 'request' | 'token'>,
): Caller {
  const headers = { cookie, origin, host: new URL(origin).host, 'sec-fetch-site': 'same-origin' };
  return { name, request: { headers }, token: cookie.slice(cookie.indexOf('=') + 1), ...rights };
}

/** The body of the answer to a request that prepares a test. */
function accept<Body>({ status, body, text }: { status: number; body: Body; text: string }): Body {
  if (status !== 200) throw new Error(`Refused with ${status}: ${text}`);
  return body;
}
