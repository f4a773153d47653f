import type { Random } from '@steward/kernel';
import { path, registrationMac } from '@steward/testing';
import { choose, SECRET } from '@steward/topology/testing';

/** A device that is logged in. One of the two may be missing where a login or a logout was cut short. */
export interface Session {
  readonly device: string | undefined;
  readonly token: string | undefined;
  /** What the device is called. */
  readonly name: string | null;
}

/** What an account should be like. */
export interface AccountState {
  readonly exists: boolean;
  readonly displayname: string | null;
  readonly avatarUrl: string | null;
  readonly userType: string | null;
  readonly emails: readonly string[];
  readonly externalIds: readonly string[];
  readonly admin: boolean;
  readonly locked: boolean;
  readonly deactivated: boolean;
  readonly erased: boolean;
  readonly password: string | null;
  readonly sessions: readonly Session[];
  /** The facts that its changes have told, in order. */
  readonly facts: readonly string[];
}

/** The account before anybody has made it. */
export const ABSENT: AccountState = {
  exists: false,
  displayname: null,
  avatarUrl: null,
  userType: null,
  emails: [],
  externalIds: [],
  admin: false,
  locked: false,
  deactivated: false,
  erased: false,
  password: null,
  sessions: [],
  facts: [],
};

/** What somebody asks for. */
export interface AccountRequest {
  readonly verb: string;
  readonly path: string;
  readonly body: Readonly<Record<string, unknown>>;
  /** Who asks: an administrator, the holder of this token, or anybody. */
  readonly by: 'admin' | 'anybody' | { readonly token: string };
}

/** A change: the request, and what it makes of the account. */
export interface Change extends AccountRequest {
  /** The account as it is then. */
  readonly after: AccountState;
  /** How the account may be where the change was cut short, beside having it and not. */
  readonly halves?: readonly AccountState[];
  /** A login at the same time, which outlives no change that ends all sessions. */
  readonly beside?: AccountRequest;
}

type Maker = (state: AccountState, userId: string, fresh: (what: string) => string) => Change;

const accountPath = (userId: string) => path`/_service/admin/v2/users/${userId}`;

/** A change by PUT of the account. */
const put = (userId: string, body: Change['body'], after: AccountState): Change => ({
  verb: 'PUT',
  path: accountPath(userId),
  body,
  by: 'admin',
  after,
});

/** Devices that are removed at once. */
const MOST_REMOVED = 2;

/** Shared-secret registration needs a word of the server's first. */
export const REGISTRATION = '/_service/admin/v1/register';

const told = ({ facts }: AccountState, fact: string) => [...facts, fact];
const byEmail = (address: string) => [{ medium: 'email', address }];
const byExternalId = (id: string) => [{ auth_provider: 'oidc', external_id: id }];

const create: Maker = (state, userId, fresh) => {
  const [displayname, password, email] = [fresh('name'), fresh('password'), `${fresh('mail')}@example.org`];
  return put(
    userId,
    { displayname, password, threepids: byEmail(email) },
    { ...state, exists: true, displayname, password, emails: [email], facts: told(state, 'user.created') },
  );
};

/** With the shared secret, and a session from the beginning; see `REGISTRATION`. */
const register: Maker = (state, userId, fresh) => {
  const [password, device] = [fresh('password'), fresh('device')];
  const username = userId.slice(1, userId.indexOf(':'));
  const facts = told(state, 'user.created');
  const created = { ...state, exists: true, displayname: username, password, facts };
  return {
    verb: 'POST',
    path: REGISTRATION,
    body: { username, password, admin: false, device_id: device },
    by: 'anybody',
    after: { ...created, sessions: [{ device, name: null, token: undefined }] },
    halves: [created],
  };
};

/** The body of a registration, with a nonce and the proof that goes with it. */
export function signed(body: AccountRequest['body'], nonce: string): AccountRequest['body'] {
  const { username, password } = body as { username: string; password: string };
  return { ...body, nonce, mac: registrationMac(SECRET, { nonce, username, password }) };
}

const rename: Maker = (state, userId, fresh) => {
  const displayname = fresh('name');
  return put(userId, { displayname }, { ...state, displayname, facts: told(state, 'user.profile_changed') });
};

/** Everything at once, so that a half of it would show. */
const rewrite: Maker = (state, userId, fresh) => {
  const [displayname, avatarUrl, password] = [
    fresh('name'),
    `mxc://test/${fresh('avatar')}`,
    fresh('password'),
  ];
  const [email, externalId] = [`${fresh('mail')}@example.org`, fresh('external')];
  const userType = state.userType === 'bot' ? 'support' : 'bot';
  const body = { displayname, avatar_url: avatarUrl, password, user_type: userType };
  return put(
    userId,
    { ...body, threepids: byEmail(email), external_ids: byExternalId(externalId) },
    {
      ...state,
      ...{ displayname, avatarUrl, password, userType },
      emails: [email],
      externalIds: [externalId],
      sessions: [],
      facts: told(state, 'user.profile_changed'),
    },
  );
};

const changePassword: Maker = (state, userId, fresh) => {
  const password = fresh('password');
  return put(userId, { password, logout_devices: false }, { ...state, password });
};

const resetPassword: Maker = (state, userId, fresh) => {
  const password = fresh('password');
  return {
    verb: 'POST',
    path: path`/_service/admin/v1/reset_password/${userId}`,
    body: { new_password: password },
    by: 'admin',
    after: { ...state, password, sessions: [] },
  };
};

const toggleLock: Maker = (state, userId) =>
  put(userId, { locked: !state.locked }, { ...state, locked: !state.locked });

const toggleAdmin: Maker = (state, userId) => ({
  verb: 'PUT',
  path: path`/_service/admin/v1/users/${userId}/admin`,
  body: { admin: !state.admin },
  by: 'admin',
  after: { ...state, admin: !state.admin },
});

const deactivate =
  (erase: boolean): Maker =>
  (state, userId) => ({
    verb: 'POST',
    path: path`/_service/admin/v1/deactivate/${userId}`,
    body: { erase },
    by: 'admin',
    after: {
      ...state,
      ...(erase ? { displayname: null, avatarUrl: null } : {}),
      deactivated: true,
      erased: state.erased || erase,
      password: null,
      emails: [],
      sessions: [],
      facts: told(state, 'user.deactivated'),
    },
  });

const reactivate: Maker = (state, userId, fresh) => {
  const password = fresh('password');
  return put(
    userId,
    { deactivated: false, password },
    { ...state, deactivated: false, erased: false, password, facts: told(state, 'user.reactivated') },
  );
};

/**
 * On a new device, or again on one that the account has, whose token ends then. The new token is not known before the
 * answer, see `withToken`.
 */
const login =
  (again?: Session): Maker =>
  (state, userId, fresh) => {
    const [device, name] = [again?.device ?? fresh('device'), fresh('Device')];
    const others = state.sessions.filter((session) => session !== again);
    return {
      verb: 'POST',
      path: '/_proto/client/v3/login',
      body: {
        type: 'm.login.password',
        identifier: { type: 'm.id.user', user: userId },
        password: state.password,
        device_id: device,
        initial_device_display_name: name,
      },
      by: 'anybody',
      after: {
        ...state,
        sessions: [...others, { device, name: again ? again.name : name, token: undefined }],
      },
    };
  };

/**
 * A login while all sessions are ended. The server may not live to undo it; then it leaves a device, with which nobody
 * can do anything.
 */
const loginBeside =
  (ending: Maker): Maker =>
  (state, userId, fresh) => {
    const change = ending(state, userId, fresh);
    const { after: begun, ...beside } = login()(state, userId, fresh);
    const stray = { ...change.after, sessions: begun.sessions.slice(-1) };
    return { ...change, halves: [begun, stray], beside };
  };

/** The state after a login that was answered. */
export function withToken(state: AccountState, token: string): AccountState {
  const sessions = state.sessions.map((session, index) =>
    index === state.sessions.length - 1 ? { ...session, token } : session,
  );
  return { ...state, sessions };
}

const replaced = (state: AccountState, session: Session, ...by: Session[]): AccountState => ({
  ...state,
  sessions: state.sessions.flatMap((other) => (other === session ? by : [other])),
});

/** The token goes last, so that a logout that was cut short can be repeated. */
const logout =
  (session: Session): Maker =>
  (state) => ({
    verb: 'POST',
    path: '/_proto/client/v3/logout',
    body: {},
    by: { token: session.token ?? '' },
    after: replaced(state, session),
    halves: [replaced(state, session, { ...session, device: undefined })],
  });

const logoutAll =
  (session: Session): Maker =>
  (state) => ({
    verb: 'POST',
    path: '/_proto/client/v3/logout/all',
    body: {},
    by: { token: session.token ?? '' },
    after: { ...state, sessions: [] },
  });

const createDevice: Maker = (state, userId, fresh) => {
  const device = fresh('device');
  return {
    verb: 'POST',
    path: `${accountPath(userId)}/devices`,
    body: { device_id: device },
    by: 'admin',
    after: { ...state, sessions: [...state.sessions, { device, name: null, token: undefined }] },
  };
};

const renameDevice =
  (session: Session): Maker =>
  (state, userId, fresh) => {
    const name = fresh('Device');
    return {
      verb: 'PUT',
      path: path`/_service/admin/v2/users/${userId}/devices/${session.device ?? ''}`,
      body: { display_name: name },
      by: 'admin',
      after: replaced(state, session, { ...session, name }),
    };
  };

/** Of each device the token goes first, so that a removal that was cut short shuts out whoever has it. */
const removeDevices =
  (sessions: readonly Session[]): Maker =>
  (state, userId) => {
    const devices = sessions.map(({ device }) => device ?? '');
    const [only = ''] = devices;
    const single = {
      verb: 'DELETE',
      path: path`/_service/admin/v2/users/${userId}/devices/${only}`,
      body: {},
    };
    const several = { verb: 'POST', path: `${accountPath(userId)}/delete_devices`, body: { devices } };
    const ways = sessions.reduce<readonly AccountState[]>(
      (states, session) =>
        states.flatMap((each) => [
          each,
          replaced(each, session, { ...session, token: undefined }),
          replaced(each, session),
        ]),
      [state],
    );
    const [after = state] = ways.slice(-1);
    return { ...(devices.length === 1 ? single : several), by: 'admin', after, halves: ways.slice(1, -1) };
  };

/** A change that the account in this state admits, one as likely as the other. */
export function nextChange(
  random: Random,
  state: AccountState,
  userId: string,
  fresh: (what: string) => string,
): Change {
  return choose(random, makersFor(random, state))(state, userId, fresh);
}

/** Those that stand twice come about more often. */
function makersFor(random: Random, state: AccountState): readonly Maker[] {
  if (!state.exists) return [create, create, register];
  if (state.deactivated) return [reactivate, reactivate, deactivate(true), toggleAdmin];
  const makers = [rename, rewrite, resetPassword, changePassword, toggleAdmin, toggleLock];
  if (state.locked) return [...makers, toggleLock, deactivate(false)];
  makers.push(deactivate(false), deactivate(true), rename, login(), login(), login(), createDevice);
  if (state.password !== null) makers.push(...[resetPassword, deactivate(false)].map(loginBeside));
  const devices = state.sessions.filter(({ device }) => device !== undefined);
  if (devices.length > 0) {
    const device = choose(random, devices);
    makers.push(login(device), renameDevice(device), removeDevices([device]));
    makers.push(removeDevices(devices.slice(0, MOST_REMOVED)));
  }
  const holders = state.sessions.filter(({ token }) => token !== undefined);
  if (holders.length === 0) return makers;
  const holder = choose(random, holders);
  return [...makers, logout(holder), logoutAll(holder)];
}
