import { Scope } from '@steward/proto/steward/http/v1/annotations_pb.ts';
import { AccountService } from '@steward/proto/steward/user/v1/accounts_pb.ts';
import { AdminSessionService } from '@steward/proto/steward/user/v1/admin_sessions_pb.ts';
import { GroupService } from '@steward/proto/steward/user/v1/groups_pb.ts';
import { RoleService } from '@steward/proto/steward/user/v1/roles_pb.ts';
import { SecondFactorService } from '@steward/proto/steward/user/v1/second_factor_pb.ts';
import { readSessionCookie } from '@steward/rpc';
import { TOTP } from 'otpauth';
import { describe, expect, it } from 'vitest';
import { startProviderService } from '../../fixtures/provider-service.ts';
import { idOf, seedAccount } from '../../fixtures/state.ts';
import { refusalOf } from '../../fixtures/test-service.ts';

const MAPPED = { roles_claim: 'groups', roles: { mods: 'moderator', desk: 'support', chiefs: 'admin' } };

/** Starts a service whose provider gives roles. */
async function start(
  provider: Readonly<Record<string, unknown>> = {},
  config: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {},
) {
  const world = await startProviderService({ provider: { create: 'on', ...MAPPED, ...provider }, config });
  await seedAccount(world.collections, 'root', { admin: true });
  const admin = world.service.client(AdminSessionService, 'anonymous');
  const { beginForConsole, completeForConsole } = world;
  /** Signs in at the provider; returns the login token and the cookie of the browser. */
  const prove = async (stepUp = false) => {
    const begun = await beginForConsole('', stepUp);
    const answer = await completeForConsole(world.provider.decide(begun.location), begun.cookie);
    expect(answer.status, answer.page).toBe(302);
    const [, loginToken = ''] = (answer.headers.location ?? '').split(stepUp ? '#step-up=' : '#sign-in=');
    return { loginToken, cookie: begun.cookie };
  };
  const open = async (proof: { loginToken: string; cookie: string; totp?: string }) => {
    let secret = '';
    const { session, roles } = await admin.createAdminSession(proof, {
      onHeader: (header) => {
        secret = readSessionCookie(header)?.secret ?? '';
      },
    });
    return { session, roles, secret };
  };
  const signInAs = async (groups: unknown) => {
    world.provider.claims = { ...world.provider.claims, groups };
    return open(await prove());
  };
  const rolesOf = async () => {
    const account = await world.collections.accounts.findOne({ _id: idOf('pat') });
    return [...(account?.admin ? ['admin'] : []), ...(account?.roles ?? [])];
  };
  return { ...world, admin, prove, open, signInAs, rolesOf };
}

describe('a sign-in to the console with an identity provider', () => {
  it('begins a session with the roles of the claim, which the next sign-in takes away again', async () => {
    const { service, signInAs, rolesOf } = await start();
    const { session, roles, secret } = await signInAs(['mods', 'others']);
    expect(roles).toEqual(['moderator']);
    expect(session).toMatchObject({ provider: 'one' });
    expect(session?.provedTs).toBeUndefined();
    const authenticated = await service.service.authenticate(
      secret,
      { allowLocked: false, allowExpired: false },
      undefined,
    );
    expect(authenticated).toMatchObject({ kind: 'session', proofStages: ['m.login.sso'] });
    expect(await refusalOf(signInAs(undefined))).toBe('M_FORBIDDEN');
    expect(await rolesOf()).toEqual([]);
    // The last role is gone, and the sessions with it.
    await expect(
      service.service.authenticate(secret, { allowLocked: false, allowExpired: false }, undefined),
    ).rejects.toThrow();
  });

  it('leaves what was given by hand, and takes what only the provider gave', async () => {
    const { service, signInAs, rolesOf } = await start();
    const byHand = service.client(RoleService);
    await signInAs('mods');
    expect(await rolesOf()).toEqual(['moderator']);
    await byHand.setAccountRoles({ userId: idOf('pat'), roles: ['moderator', 'support'] });
    await signInAs(['desk', 'chiefs']);
    expect(await rolesOf()).toEqual(['admin', 'support']);
    await signInAs(['desk']);
    expect(await rolesOf()).toEqual(['support']);
    await signInAs([]);
    expect(await rolesOf()).toEqual(['support']);
    await signInAs('mods');
    await byHand.setAccountRoles({ userId: idOf('pat'), roles: ['auditor'] });
    await signInAs([]);
    expect(await rolesOf()).toEqual(['auditor']);
  });

  it('puts the account into the groups of the claim, whose roles and memberships by others stay otherwise', async () => {
    const { service, collections, signInAs, rolesOf } = await start({ groups_claim: 'groups' });
    const groups = service.client(GroupService);
    const make = async (name: string, role: string) =>
      (await groups.createGroup({ name, roles: [role], enforced: true })).group?.id ?? '';
    const [desk, night] = [await make('Help Desk', 'support'), await make('Night', 'auditor')];
    expect((await signInAs(['HELP desk', 'Night', 'None', 7])).roles).toEqual(['auditor', 'support']);
    await groups.addGroupMember({ id: night, userId: idOf('pat') });
    expect((await signInAs(['mods'])).roles).toEqual(['auditor', 'moderator']);
    const memberships = async () => (await collections.accounts.findOne({ _id: idOf('pat') }))?.groups;
    expect(await memberships()).toMatchObject([{ id: night, by: ['hand'] }]);
    await signInAs(['help desk']);
    expect(await rolesOf()).toEqual(['auditor', 'support']);
    expect((await groups.listGroupMembers({ id: desk })).members).toMatchObject([{ by: ['oidc:one'] }]);
    await service.client(AccountService).putUser({
      userId: idOf('pat'),
      present: { paths: ['external_ids'] },
      externalIds: [{ authProvider: 'two', externalId: 'subject' }],
    });
    expect(await rolesOf()).toEqual(['auditor']);
    expect(await memberships()).toMatchObject([{ id: night, by: ['hand'] }]);
  });

  it('takes the roles of a provider away when the account is not linked with it any more', async () => {
    const { service, signInAs, rolesOf } = await start();
    await signInAs('mods');
    await service
      .client(RoleService)
      .setAccountRoles({ userId: idOf('pat'), roles: ['moderator', 'auditor'] });
    await service.client(AccountService).putUser({
      userId: idOf('pat'),
      present: { paths: ['external_ids'] },
      externalIds: [{ authProvider: 'two', externalId: 'subject' }],
    });
    expect(await rolesOf()).toEqual(['auditor']);
  });

  it('gives no role beyond the rights of the caller who set the external id', async () => {
    const { service, signInAs, rolesOf } = await start();
    const support = {
      userId: idOf('support'),
      owner: idOf('support'),
      admin: false,
      scopes: [Scope.USERS_READ, Scope.USERS_WRITE, Scope.USERS_CREDENTIALS],
    };
    await service.client(AccountService, support).putUser({
      userId: idOf('pat'),
      present: { paths: ['external_ids'] },
      externalIds: [{ authProvider: 'one', externalId: 'subject' }],
    });
    const { roles } = await signInAs(['chiefs', 'mods', 'desk']);
    expect(roles).toEqual(['support']);
    expect(await rolesOf()).toEqual(['support']);
  });

  it('counts once, in the browser that signed in, and not for an app', async () => {
    const { provider, prove, open, logIn, collections } = await start();
    provider.claims = { ...provider.claims, groups: 'mods' };
    const proof = await prove();
    const other = await prove();
    expect(await refusalOf(open({ ...proof, cookie: '' }))).toBe('M_FORBIDDEN');
    expect(await refusalOf(open({ ...proof, cookie: other.cookie }))).toBe('M_FORBIDDEN');
    expect(await refusalOf(logIn(proof.loginToken))).toBe('M_FORBIDDEN');
    const opened = await Promise.allSettled(Array.from({ length: 6 }, () => open(proof)));
    expect(opened.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await collections.adminSessions.countDocuments({})).toBe(1);
  });

  it('is not completed by the answer to the sign-in of an app, nor the other way round', async () => {
    const { provider, begin, complete, beginForConsole, completeForConsole } = await start();
    const forApp = await begin();
    const forConsole = await beginForConsole();
    expect((await completeForConsole(provider.decide(forApp.location), forApp.cookie)).status).toBe(400);
    expect((await complete(provider.decide(forConsole.location), forConsole.cookie)).status).toBe(400);
  });

  it('asks for the second factor of the account, and spends the token with it only', async () => {
    const { provider, collections, clock, prove, open } = await start({ create: 'off' });
    const secret = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP';
    await seedAccount(collections, 'pat', {
      external_ids: [{ key: '["one","subject"]', auth_provider: 'one', external_id: 'subject' }],
      second_factor: {
        secret,
        created_ts: 1,
        confirmed_ts: 2,
        last_step: -1,
        recovery_codes: [],
        failures: 0,
        failed_ts: 0,
      },
    });
    provider.claims = { ...provider.claims, groups: 'mods' };
    const proof = await prove();
    expect(await refusalOf(open(proof))).toBe('STEWARD_STEP_UP_REQUIRED');
    expect(await refusalOf(open({ ...proof, totp: '000000' }))).toBe('M_FORBIDDEN');
    expect(await collections.loginTokens.countDocuments({})).toBe(1);
    const totp = new TOTP({ secret }).generate({ timestamp: clock.now() });
    expect((await open({ ...proof, totp })).roles).toEqual(['moderator']);
    expect(await collections.loginTokens.countDocuments({})).toBe(0);
  });
});

describe('a sign-in with an identity provider where a second factor is required', () => {
  const config = { sessions: { require_second_factor: 'administrators' } };
  const options = { allowLocked: false, allowExpired: false };

  it.each([
    ['no provider', {}, {}, false],
    ['each sign-in', { is_second_factor: true }, {}, true],
    [
      'sign-ins with a claim',
      { is_second_factor: true, second_factor_claims: { amr: ['mfa', 'otp'] } },
      { amr: ['pwd', 'otp'] },
      true,
    ],
    [
      'sign-ins with a claim that this one lacks',
      { is_second_factor: true, second_factor_claims: { amr: ['mfa'] } },
      { amr: ['pwd'] },
      false,
    ],
  ])('has rights where the settings count it as one: %s', async (_, provider, claims, hasRights) => {
    const { service, provider: scripted, signInAs, clock, collections } = await start(provider, config);
    scripted.claims = { ...scripted.claims, ...claims };
    const { secret } = await signInAs('mods');
    const found = await service.service.authenticate(secret, options, undefined);
    expect(found.mustEnrol ?? false).toBe(!hasRights);
    expect((found.scopes ?? []).length > 0).toBe(hasRights);
    if (hasRights) return;
    // An account without a password enrols after a step-up at the provider.
    const own = service.client(SecondFactorService, { token: secret });
    expect(await refusalOf(own.beginTotp({}))).toBe('STEWARD_STEP_UP_REQUIRED');
    await collections.adminSessions.updateOne({ user_id: idOf('pat') }, { $set: { proved_ts: clock.now() } });
    const { secret: key } = await own.beginTotp({});
    await own.confirmTotp({ totp: new TOTP({ secret: key }).generate({ timestamp: clock.now() }) });
    const enrolled = await service.service.authenticate(secret, options, undefined);
    expect(enrolled.scopes).toContain(Scope.ROOMS_READ);
  });
});

describe('the step-up of a session of an identity provider', () => {
  it('is a sign-in there that is as new as asked for, of the same user', async () => {
    const { service, provider, clock, prove, signInAs, beginForConsole, completeForConsole } = await start();
    const { secret } = await signInAs('mods');
    const own = service.client(AdminSessionService, { token: secret });
    const begun = await beginForConsole('', true);
    expect(Object.fromEntries(new URL(begun.location).searchParams)).toMatchObject({
      prompt: 'login',
      max_age: '0',
    });
    for (const auth_time of [undefined, Math.floor(clock.now() / 1_000) - 60]) {
      provider.claims = { ...provider.claims, auth_time };
      const { location, cookie } = await beginForConsole('', true);
      const answer = await completeForConsole(provider.decide(location), cookie);
      expect(answer.status).toBe(502);
    }
    const usual = await prove();
    expect(await refusalOf(own.stepUp(usual))).toBe('M_FORBIDDEN');
    provider.claims = { ...provider.claims, auth_time: Math.floor(clock.now() / 1_000) };
    const proof = await prove(true);
    const { session } = await own.stepUp(proof);
    expect(session?.provedTs).toBe(BigInt(clock.now()));
    expect(await refusalOf(own.stepUp(proof))).toBe('M_FORBIDDEN');
    expect(await refusalOf(own.stepUp({}))).toBe('M_MISSING_PARAM');
    provider.claims = { ...provider.claims, sub: 'other', preferred_username: 'other' };
    expect(await refusalOf(own.stepUp(await prove(true)))).toBe('M_FORBIDDEN');
  });
});
