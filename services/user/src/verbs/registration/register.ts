import type { MessageInitShape } from '@bufbuild/protobuf';
import type { HandlerContext } from '@connectrpc/connect';
import { refuse } from '@steward/errors';
import { formatUserId, randomId } from '@steward/kernel';
import type {
  RegisterRequest,
  RegisterResponseSchema,
} from '@steward/proto/steward/user/v1/registration_pb.ts';
import { type Client, clientAddress, clientOf, headers, raiseDeferred } from '@steward/rpc';
import { requireApproval } from '../../core/accounts/approval.ts';
import { requireMonthlyCapacity } from '../../core/accounts/monthly-limit.ts';
import { checkUsername } from '../../core/accounts/username.ts';
import type { Deps } from '../../core/deps.ts';
import { authenticateStage, type Flow } from '../../core/interactive-auth/authenticate-stage.ts';
import { resumeInteractiveSession } from '../../core/interactive-auth/interactive-session.ts';
import type { Account } from '../../core/model/account.ts';
import { causedBy } from '../../core/model/cause.ts';
import { checkPassword } from '../../core/model/password-policy.ts';
import { releaseUse, type TokenUse } from '../../core/registration-tokens/hold-use.ts';
import { startSession } from '../../core/sessions/start-session.ts';
import { createOnce } from './create-once.ts';
import { decideSession, type RegistrationDraft } from './decide-session.ts';
import { passRegistrationToken, TOKEN_STAGE } from './pass-registration-token.ts';
import { registerGuest } from './register-guest.ts';
import { requireRegistration } from './require-registration.ts';

/** What the session of a registration authenticates. */
const SCOPE = { operation: 'POST register', userId: null };

/** The flow of a server with open registration: a stage that requires nothing. */
const OPEN_FLOWS: readonly Flow[] = [{ stages: ['m.login.dummy'] }];
/** The flow of a server that requires a registration token. */
const TOKEN_FLOWS: readonly Flow[] = [{ stages: [TOKEN_STAGE] }];

/** How many numbers a generated user name is drawn from; two requests hardly draw the same. */
const GENERATED_NUMBERS = 2 ** 47;

const APPLICATION_SERVICE = 'm.login.application_service';

/** Creates an account after user-interactive authentication, or a guest without it (client-plane.md 7.3). */
export async function register(
  deps: Deps,
  request: RegisterRequest,
  context: HandlerContext,
): Promise<MessageInitShape<typeof RegisterResponseSchema>> {
  const kind = request.kind ?? 'user';
  if (kind !== 'user' && kind !== 'guest') throw refuse.unrecognizedValue("'kind' must be user or guest");
  if (kind === 'user') {
    requireRegistration(deps);
    if (!deps.settings.passwordsStored) throw refuse.forbidden('Users have no passwords on this server');
  } else if (!deps.settings.guestsAdmitted)
    throw refuse.guestForbidden('Guests are not admitted on this server');
  raiseDeferred(context);
  if (request.type === APPLICATION_SERVICE)
    throw refuse.unknown('Application services cannot register on this server');
  if (context.requestHeader.has(headers.accessToken))
    throw refuse.unknown('Registration does not take an access token: leave it out');
  const address = clientAddress(context);
  const client = clientOf(context.requestHeader);
  const cause = causedBy(undefined, context.requestHeader.get(headers.traceparent));
  deps.limits.registration.check(address);
  const requestId = context.requestHeader.get(headers.requestId) ?? '';
  if (kind === 'guest') return registerGuest(deps, request, { address, client, cause, requestId });
  if (request.username === undefined && request.present?.paths.includes('user')) {
    throw refuse.unknown("The user name is expected in 'username'");
  }

  const { auth } = request;
  const resumed =
    auth?.session === undefined ? undefined : await resumeInteractiveSession(deps, SCOPE, auth.session);
  const fresh = resumed === undefined || resumed.chosen === null;
  if (request.password !== undefined) checkPassword(deps.settings.passwordPolicy, request.password);
  if (fresh && request.username !== undefined) await checkUsername(deps, request.username.toLowerCase());
  if (fresh) await requireMonthlyCapacity(deps);
  const holder = resumed?._id ?? randomId(deps.random);
  let use: TokenUse | undefined;
  // Counted before the hash: a stage that requires nothing is not proof.
  const body = () => {
    deps.limits.registrationChallenge.take(address);
    return draftOf(deps, request, address);
  };
  const draft = await authenticateStage<RegistrationDraft>(deps, {
    ...SCOPE,
    openedBy: address,
    flows: deps.settings.registrationNeedsToken ? TOKEN_FLOWS : OPEN_FLOWS,
    auth,
    session: resumed,
    firstCounts: onlyAuth(request) || !fresh,
    body,
    bodyToStore: body,
    pass: async (stage, { token }) => {
      if (stage !== TOKEN_STAGE) return undefined;
      if (token === undefined) return { errcode: 'M_MISSING_PARAM', message: "'token' is missing" };
      use = { token, holder };
      // Counts as a check of a token, because it may be a guess; a valid token gives the count back.
      deps.limits.registrationTokenValidity.take(address);
      const failure = await passRegistrationToken(deps, use, resumed);
      if (!failure) deps.limits.registrationTokenValidity.giveBack(address);
      return failure;
    },
  });
  const repeatable = resumed !== undefined;
  if (draft.password_hash === null) {
    if (use && !repeatable) await releaseUse(deps, use);
    throw refuse.missingParam("'password' is missing");
  }
  const chosen = formatUserId(draft.username?.toLowerCase() ?? generateUsername(deps), deps.serverName);
  const decided = resumed
    ? await decideSession(deps, resumed, resumed.chosen ?? chosen, draft)
    : { chosen, draft };
  const account = await createOnce(deps, {
    userId: decided.chosen,
    passwordHash: decided.draft.password_hash,
    use,
    repeatable,
    address,
    cause,
    requestId,
  });
  return respond(deps, account, decided.draft, client);
}

function onlyAuth(request: RegisterRequest): boolean {
  return (request.present?.paths ?? []).every((key) => key === 'auth');
}

async function draftOf(deps: Deps, request: RegisterRequest, address: string): Promise<RegistrationDraft> {
  return {
    username: request.username ?? null,
    password_hash:
      request.password === undefined ? null : await deps.passwords.hash(request.password, address),
    device_id: request.deviceId ?? null,
    initial_device_display_name: request.initialDeviceDisplayName ?? null,
    inhibit_login: request.inhibitLogin,
    refresh_token: request.refreshToken,
  };
}

/** A user name for a request that names none. */
function generateUsername(deps: Deps): string {
  return `u${deps.random.below(GENERATED_NUMBERS)}`;
}

async function respond(
  deps: Deps,
  account: Account,
  draft: RegistrationDraft,
  client: Client | undefined,
): Promise<MessageInitShape<typeof RegisterResponseSchema>> {
  requireApproval(deps, account);
  const registered = { userId: account._id, homeServer: deps.serverName };
  if (draft.inhibit_login) return registered;
  const session = await startSession(deps, account, {
    deviceId: draft.device_id ?? undefined,
    displayName: draft.initial_device_display_name ?? undefined,
    refreshes: draft.refresh_token,
    client,
  });
  return { ...registered, ...session };
}
