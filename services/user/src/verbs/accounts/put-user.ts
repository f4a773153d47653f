import type { HandlerContext } from '@connectrpc/connect';
import { reportEvent } from '@steward/audit';
import { refuse } from '@steward/errors';
import {
  AccountCreatedSchema,
  AccountDeactivatedSchema,
  AccountReactivatedSchema,
} from '@steward/proto/steward/feed/v1/accounts_pb.ts';
import type { PutUserRequest } from '@steward/proto/steward/user/v1/accounts_pb.ts';
import {
  headers,
  type Requester,
  raiseDeferred,
  raiseDeferredOf,
  requester,
  waiveDeferredOf,
} from '@steward/rpc';
import { Conflict } from '@steward/store';
import { accountAggregate } from '../../core/accounts/account-aggregate.ts';
import { requirePermittedAvatar } from '../../core/accounts/avatar-rules.ts';
import { changeAccount, createAccount } from '../../core/accounts/change-account.ts';
import { parseOrRefuse, requireLocal } from '../../core/accounts/local-user.ts';
import { toUser } from '../../core/accounts/render-account.ts';
import { claimsOn } from '../../core/accounts/threepid-claims.ts';
import { requireKnownUserType } from '../../core/accounts/user-type.ts';
import { checkUsername } from '../../core/accounts/username.ts';
import type { Deps } from '../../core/deps.ts';
import type { AccountEffect } from '../../core/model/account-effect.ts';
import { type Cause, causedBy } from '../../core/model/cause.ts';
import { externalIdKey, toHeldExternalIds } from '../../core/model/external-id.ts';
import { limitIds } from '../../core/model/limited-ids.ts';
import { profileText, requireContentUri } from '../../core/model/profile.ts';
import {
  canonicalThreepids,
  holdersOf,
  holdThreepids,
  latestClaims,
  type RequestedThreepid,
} from '../../core/model/threepid.ts';
import { requireAuthority, requireAuthorityOverAll } from '../../core/roles/account-rights.ts';
import { pendingRights } from '../../core/roles/pending-rights.ts';
import { limitOfPassword } from '../../core/sessions/limit-of-caller.ts';
import { decideModification } from './modify-account.ts';

/** The keys after the account type whose violations are refused before the checks that concern several keys. */
const CHECKED_FIRST = ['admin', 'password', 'logout_devices', 'deactivated', 'locked'] as const;

/** What of `If-None-Match` every account matches. */
const ANY = '*';

/** The maximum of addresses, and of external ids, of an account: all are read with the account. */
const MAX_IDS = 1_000;

/** Creates or changes an account (behaviour.md 2.2): everything is checked before anything changes. */
export async function putUser(deps: Deps, request: PutUserRequest, context: HandlerContext) {
  const user = parseOrRefuse(request.userId);
  raiseDeferredOf(context);
  requireLocal(deps, user);
  raiseDeferredOf(context, 'threepids', 'external_ids', 'user_type');
  if (!(await keepsUserType(deps, request))) requireKnownUserType(deps, request.userType);
  raiseDeferredOf(context, ...CHECKED_FIRST);
  if (request.deactivated && request.locked) {
    throw refuse.unknown('An account cannot be both deactivated and locked');
  }
  // The last field of the request: reading stops at a violation, so that a field after it would be ignored as well.
  if (!deps.settings.approvalRequired) waiveDeferredOf(context, 'approved');
  raiseDeferred(context);
  if (Math.max(request.threepids.length, request.externalIds.length) > MAX_IDS) {
    throw refuse.invalidParam(`An account has at most ${MAX_IDS} addresses or external ids`);
  }
  return deps.externalIdMutex.runExclusive(externalIdKeys(request), () =>
    putChecked(deps, request, user.localpart, context),
  );
}

/** Creates or changes an account after the checks that concern the request alone. */
async function putChecked(deps: Deps, request: PutUserRequest, localpart: string, context: HandlerContext) {
  const account = await accountAggregate.load(deps, request.userId);
  // An unchanged avatar is not checked: tools send back the whole account, and its avatar may predate the rule.
  if (request.avatarUrl && request.avatarUrl !== account?.avatar_url) {
    requireContentUri(request.avatarUrl);
    await requirePermittedAvatar(deps, profileText(request.avatarUrl));
  }
  const threepids = canonicalThreepids(request.threepids);

  const caller = requester(context);
  const cause = causedBy(caller, context.requestHeader.get(headers.traceparent));
  if (!account) {
    const created = await create(deps, request, localpart, threepids, caller, cause);
    if (created) {
      reportEvent(context, AccountCreatedSchema, {});
      return {
        user: toUser(deps, created),
        created: true,
        rightsPending: await pendingRights(deps, created),
      };
    }
  }
  if (request.ifNoneMatch === ANY) throw refuse.preconditionFailed('The account exists');
  await refuseForeignExternalIds(deps, request);
  const decide = await decideModification(deps, request, threepids, context);
  let effects: readonly AccountEffect[] = [];
  const changed = await changeAccount(deps, request.userId, cause, async (current) => {
    const decision = await decide(current);
    effects = decision.effects;
    return decision;
  }).catch(toForeignExternalId);
  if (!changed) throw refuse.notFound('User not found');
  if (effects.some(({ kind }) => kind === 'deactivated')) reportEvent(context, AccountDeactivatedSchema, {});
  if (effects.some(({ kind }) => kind === 'reactivated')) reportEvent(context, AccountReactivatedSchema, {});
  return { user: toUser(deps, changed), created: false, rightsPending: await pendingRights(deps, changed) };
}

/**
 * Whether the account already has the requested type, which is not configured any more: tools send back the whole
 * account.
 */
async function keepsUserType(deps: Deps, { userId, userType }: PutUserRequest): Promise<boolean> {
  if (userType === undefined || deps.settings.userTypes.has(userType)) return false;
  const account = await deps.accounts.findOne({ _id: userId }, { projection: { user_type: 1 } });
  return account?.user_type === userType;
}

/** @returns `undefined` when a concurrent request created the account first */
async function create(
  deps: Deps,
  request: PutUserRequest,
  localpart: string,
  threepids: ReadonlyMap<string, RequestedThreepid>,
  caller: Requester,
  cause: Cause,
) {
  try {
    await checkUsername(deps, localpart);
  } catch (error) {
    const exists = await accountAggregate.load(deps, request.userId);
    if (exists) return undefined;
    throw error;
  }
  if (request.password !== undefined && !deps.settings.passwordsStored) {
    throw refuse.forbidden('Users have no passwords on this server');
  }
  await refuseForeignExternalIds(deps, request);
  await requireAuthority(deps, caller, { _id: request.userId, admin: request.admin ?? false });
  const claims = latestClaims(await claimsOn(deps, [...threepids.keys()]));
  await requireAuthorityOverAll(deps, caller, holdersOf(claims));
  const displayname = request.displayname ?? localpart;
  const ids = {
    threepids: holdThreepids(request.userId, [], threepids, claims, deps.clock.now()),
    external_ids: toHeldExternalIds(request.externalIds),
  };
  const hasIds = ids.threepids.length + ids.external_ids.length > 0;
  const idsLimit = hasIds ? await limitOfPassword(deps, caller, request.userId) : null;
  const init = {
    localpart,
    displayname: profileText(displayname),
    avatar_url: profileText(request.avatarUrl ?? ''),
    password_hash:
      request.password === undefined ? null : await deps.passwords.hash(request.password, caller.userId),
    ...(request.password === undefined
      ? {}
      : { password_limit: await limitOfPassword(deps, caller, request.userId) }),
    admin: request.admin ?? false,
    user_type: request.userType,
    awaits_approval: deps.settings.approvalRequired && request.approved === false,
    ...ids,
    ...limitIds({ threepids: [], external_ids: [] }, ids, idsLimit),
  };
  try {
    return await createAccount(deps, init, cause);
  } catch (error) {
    if (error instanceof Conflict && error.index === '_id') return undefined;
    return toForeignExternalId(error);
  }
}

/**
 * Refuses an external id of another account, before any change.
 *
 * @throws refuse.conflict
 */
async function refuseForeignExternalIds(deps: Deps, request: PutUserRequest): Promise<void> {
  const keys = externalIdKeys(request);
  if (keys.length === 0) return;
  const holder = await deps.accounts.findOne(
    { 'external_ids.key': { $in: keys }, _id: { $ne: request.userId } },
    { projection: { _id: 1 } },
  );
  if (holder) throw foreignExternalId();
}

function externalIdKeys({ externalIds }: PutUserRequest): string[] {
  return externalIds.map(({ authProvider, externalId }) => externalIdKey(authProvider, externalId));
}

function toForeignExternalId(error: unknown): never {
  throw error instanceof Conflict && error.index === 'external_ids' ? foreignExternalId() : error;
}

function foreignExternalId() {
  return refuse.conflict('An external id belongs to another account');
}
