import type { HandlerContext } from '@connectrpc/connect';
import { recordCall } from '@steward/audit';
import { refuse } from '@steward/errors';
import type { BeginTotpRequest } from '@steward/proto/steward/user/v1/second_factor_pb.ts';
import { hasScopes, noAdministrator, refuseWithheld, requester } from '@steward/rpc';
import { accountAggregate } from '../../core/accounts/account-aggregate.ts';
import { requireActive } from '../../core/accounts/callers-account.ts';
import { localUser } from '../../core/accounts/local-user.ts';
import type { Deps } from '../../core/deps.ts';
import { SSO_STAGE } from '../../core/model/proof-stages.ts';
import { enrolmentEnd, type SecondFactor, secondFactorOf } from '../../core/model/second-factor.ts';
import { rightsOf } from '../../core/roles/account-rights.ts';
import { hasPassword } from '../../core/second-factor/proof-stages.ts';
import { newTotpSecret, totpUri } from '../../core/second-factor/totp.ts';
import { limitOfCredential } from '../../core/sessions/limit-of-caller.ts';
import { provedAccount } from './proved-account.ts';

/**
 * Begins the enrolment of a second factor for the caller's account, in place of one that began earlier.
 *
 * @throws refuse.forbidden without rights that it would protect, and without a password or an identity provider to sign in with, refuse.tooLate when the account has a second factor,
 * and as `refuseWithheld` when the caller has less rights than the account
 */
export async function beginTotp(deps: Deps, request: BeginTotpRequest, context: HandlerContext) {
  const proved = await provedAccount(deps, context, request);
  // It could start no session, and its access tokens would have no rights.
  if (!hasPassword(deps, proved) && !requester(context).proofStages?.includes(SSO_STAGE))
    throw refuse.forbidden(
      'The account has no password, and this session did not begin with an identity provider',
    );
  if (!hasScopes(await rightsOf(deps, proved)))
    throw refuse.forbidden('Only accounts with administrative rights have a second factor');
  const caller = requester(context);
  // It would take the rights from the sign-ins that have them.
  refuseWithheld(caller, caller.withheldScopes ?? []);
  const limit = await limitOfCredential(deps, caller);
  const secret = newTotpSecret(deps.random);
  const enrolment: SecondFactor = {
    secret: deps.sealedSecrets.seal(proved._id, secret),
    created_ts: deps.clock.now(),
    confirmed_ts: null,
    last_step: -1,
    recovery_codes: [],
    failures: 0,
    failed_ts: 0,
    ...(limit ? { rights_limit: limit } : {}),
  };
  if (secondFactorOf(proved)) throw alreadyEnrolled();
  // Who knows the password alone would replace a passkey by an app of their own.
  if (caller.lacksSecondFactor) throw noAdministrator(caller);
  await recordCall(context);
  await accountAggregate.change(deps, proved._id, (account) => {
    if (secondFactorOf(requireActive(account))) throw alreadyEnrolled();
    // The password may have been reset during the request, to shut its user out.
    if (account.password_hash !== proved.password_hash) throw refuse.forbidden('Invalid password');
    return { set: { second_factor: enrolment } };
  });
  return {
    secret,
    uri: totpUri(secret, localUser(deps, proved._id).localpart, deps.serverName),
    expiresTs: BigInt(enrolmentEnd(enrolment)),
  };
}

function alreadyEnrolled(): Error {
  return refuse.tooLate('The account has a second factor: remove it first');
}
