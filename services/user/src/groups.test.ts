import { AccountService } from '@steward/proto/steward/user/v1/accounts_pb.ts';
import { GroupService } from '@steward/proto/steward/user/v1/groups_pb.ts';
import { RoleService } from '@steward/proto/steward/user/v1/roles_pb.ts';
import type { Store } from '@steward/store';
import { stores } from '@steward/store/testing';
import { createFakeClock } from '@steward/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Failure, failingStore } from './fixtures/failing-store.ts';
import { idOf, seedAccount, writableCollections } from './fixtures/state.ts';
import { refusalOf, startTestService, type TestService } from './fixtures/test-service.ts';

const MINUTE_MS = 60_000;
const USERS = ['alice', 'bob', 'carol'] as const;
const ROLES = ['auditor', 'moderator', 'support'] as const;
/** A role that alice has by hand, also where a group gives it. */
const BY_HAND = 'auditor';

describe.each(stores)('groups $title', ({ missing, remote, open }) => {
  it.skipIf(missing)(
    'any order of changes of groups and memberships ends in the same roles',
    { timeout: 60_000 },
    () =>
      fc.assert(
        fc.asyncProperty(scenario(), async ({ changes, order }) => {
          const ended: unknown[] = [];
          for (const inOrder of [
            changes,
            order.map((at) => changes[at]).filter((each) => each !== undefined),
          ]) {
            await withService(open, async (service) => {
              const names = await newGroups(service);
              const { updateGroup, addGroupMember } = service.client(GroupService);
              for (const id of names)
                await updateGroup({ id, roles: ['support'], enforced: true, present: { paths: ['roles'] } });
              for (const user of USERS) await addGroupMember({ id: names[0] ?? '', userId: idOf(user) });
              for (const change of inOrder) await apply(service, names, change);
              await service.service.whenIdle();
              ended.push(await rolesOf(service));
              expect(service.faults).toEqual([]);
            });
          }
          expect(ended[1]).toEqual(ended[0]);
          expect(ended[0]).toEqual(expected(changes));
        }),
        { numRuns: 6 },
      ),
  );

  it.skipIf(missing)('a deleted group takes what it gave, also after a crash at any write', async () => {
    // Each crash on a database takes seconds.
    const step = remote ? 7 : 3;
    for (let failAt = 1, done = false; !done; failAt += step) {
      const failure: Failure = failAt % 2 === 0 ? 'before' : 'during';
      await withStore(open, async (store) => {
        await seed(store);
        const first = await startTestService({ store });
        const [id = ''] = await newGroups(first);
        const { addGroupMember, updateGroup } = first.client(GroupService);
        await updateGroup({ id, roles: ['support'], enforced: true, present: { paths: ['roles'] } });
        for (const user of USERS) await addGroupMember({ id, userId: idOf(user) });
        await first.service.whenIdle();
        await first.close();

        const { failing, arm, crashed, writes } = failingStore(store, failAt, failure);
        const second = await startTestService({ store: failing, busStore: store });
        arm();
        const ended = second
          .client(GroupService)
          .deleteGroup({ id })
          .then(() => second.service.whenIdle());
        await Promise.race([crashed, ended.catch(() => {})]);
        done = writes() < failAt;
        await second.close().catch(() => {});

        // The lease of the process that crashed is over.
        const clock = createFakeClock();
        clock.advance(MINUTE_MS);
        const third = await startTestService({ store, clock });
        const isThere = (await refusalOf(third.client(GroupService).getGroup({ id }))) === undefined;
        await third.service.whenIdle();
        await third.service.whenIdle();
        const roles = isThere ? ['support'] : [];
        for (const user of ['bob', 'carol'])
          expect(await rolesOfUser(third, user), `crash ${failure} write ${failAt}`).toEqual(roles);
        const { groups } = await writableCollections(store);
        expect(await groups.countDocuments({ deleted: true })).toBe(0);
        await third.close();
      });
    }
  });

  it.skipIf(missing)('a role that was taken by hand is given again or left, as the group says', async () => {
    await withService(open, async (service) => {
      const [restored = '', kept = ''] = await newGroups(service);
      const { updateGroup, addGroupMember } = service.client(GroupService);
      const present = { paths: ['roles'] };
      await updateGroup({ id: restored, roles: ['support'], enforced: true, present });
      await updateGroup({ id: kept, roles: ['moderator'], enforced: true, handEdits: 'keep', present });
      for (const id of [restored, kept]) await addGroupMember({ id, userId: idOf('bob') });
      await service.client(RoleService).setAccountRoles({ userId: idOf('bob'), roles: [] });
      for (const id of [restored, kept]) await updateGroup({ id, description: 'Apply' });
      await service.service.whenIdle();
      expect(await rolesOfUser(service, 'bob')).toEqual(['support']);
    });
  });

  it.skipIf(missing)(
    'a deactivated account is in no group, and a role of a group cannot be deleted',
    async () => {
      await withService(open, async (service) => {
        const [id = ''] = await newGroups(service);
        const { updateGroup, addGroupMember, listGroupMembers } = service.client(GroupService);
        const { createRole, deleteRole } = service.client(RoleService);
        await createRole({ name: 'own', scopes: ['users:read'] });
        await updateGroup({ id, roles: ['own'], enforced: true, present: { paths: ['roles'] } });
        await addGroupMember({ id, userId: idOf('bob') });
        expect(await rolesOfUser(service, 'bob')).toEqual(['own']);
        await service.client(AccountService).deactivate({ userId: idOf('bob'), erase: false });
        expect((await listGroupMembers({ id })).members).toEqual([]);
        expect(await rolesOfUser(service, 'bob')).toEqual([]);
        expect(await refusalOf(addGroupMember({ id, userId: idOf('bob') }))).toBe('M_UNKNOWN');
        expect(await refusalOf(deleteRole({ name: 'own' }))).toBe('M_UNKNOWN');
      });
    },
  );

  it.skipIf(missing)(
    'the plan says what would change, and nothing changes before the group is switched on',
    async () => {
      await withService(open, async (service) => {
        const [id = ''] = await newGroups(service);
        const { updateGroup, addGroupMember, planGroup } = service.client(GroupService);
        await updateGroup({ id, roles: [BY_HAND], enforced: false, present: { paths: ['roles'] } });
        for (const user of ['alice', 'bob']) await addGroupMember({ id, userId: idOf(user) });
        expect(await rolesOfUser(service, 'bob')).toEqual([]);
        expect(await planGroup({ id })).toMatchObject({
          changes: [{ userId: idOf('bob'), rolesGiven: [BY_HAND], rolesTaken: [] }],
          total: 2n,
        });
        await updateGroup({ id, enforced: true });
        await service.service.whenIdle();
        expect(await rolesOfUser(service, 'bob')).toEqual([BY_HAND]);
        expect((await planGroup({ id })).changes).toEqual([]);
      });
    },
  );
});

/** Opens a store of its own. */
type Open = (typeof stores)[number]['open'];

type Change =
  | { readonly kind: 'member'; readonly user: number; readonly group: number; readonly isIn: boolean }
  | { readonly kind: 'roles'; readonly group: number; readonly roles: readonly string[] };

/** One change of each membership and each group at most, so that their order says nothing; and another order of them. */
function scenario() {
  const membership = fc.constantFrom(undefined, true, false);
  const roles = fc.option(fc.subarray([...ROLES]), { nil: undefined });
  return fc
    .record({
      members: fc.array(membership, { minLength: 9, maxLength: 9 }),
      groups: fc.array(roles, { minLength: 3, maxLength: 3 }),
    })
    .map(({ members, groups }): Change[] => [
      ...members.flatMap((isIn, n): Change[] =>
        isIn === undefined ? [] : [{ kind: 'member', user: n % 3, group: Math.floor(n / 3), isIn }],
      ),
      ...groups.flatMap((given, group): Change[] => (given ? [{ kind: 'roles', group, roles: given }] : [])),
    ])
    .chain((changes) =>
      fc.record({
        changes: fc.constant(changes),
        order: fc.shuffledSubarray(
          changes.map((_, n) => n),
          { minLength: changes.length },
        ),
      }),
    );
}

/** The roles that follow from changes, by user. At first all are in the first group. */
function expected(changes: readonly Change[]) {
  return USERS.map((_, user) => {
    const roles = new Set<string>(user === 0 ? [BY_HAND] : []);
    for (const group of [0, 1, 2]) {
      const membership = changes.find(
        (each) => each.kind === 'member' && each.user === user && each.group === group,
      );
      const isIn = membership?.kind === 'member' ? membership.isIn : group === 0;
      const rules = changes.find((each) => each.kind === 'roles' && each.group === group);
      const given = rules?.kind === 'roles' ? rules.roles : ['support'];
      if (isIn) for (const role of given) roles.add(role);
    }
    return [...roles].sort();
  });
}

/** Makes three groups. */
async function newGroups(service: TestService): Promise<readonly string[]> {
  const ids: string[] = [];
  for (const n of [1, 2, 3]) {
    const { group } = await service.client(GroupService).createGroup({ name: `Group ${n}` });
    ids.push(group?.id ?? '');
  }
  return ids;
}

async function apply(service: TestService, ids: readonly string[], change: Change): Promise<void> {
  const { addGroupMember, removeGroupMember, updateGroup } = service.client(GroupService);
  const id = ids[change.group] ?? '';
  if (change.kind === 'roles') {
    await updateGroup({ id, roles: [...change.roles], present: { paths: ['roles'] } });
    return;
  }
  const userId = idOf(USERS[change.user] ?? '');
  await (change.isIn ? addGroupMember({ id, userId }) : removeGroupMember({ id, userId }));
}

async function rolesOf(service: TestService) {
  return Promise.all(USERS.map((user) => rolesOfUser(service, user)));
}

async function rolesOfUser(service: TestService, user: string) {
  return (await service.client(RoleService).getAccountRoles({ userId: idOf(user) })).roles;
}

async function seed(store: Store): Promise<void> {
  const collections = await writableCollections(store);
  await seedAccount(collections, 'root', { admin: true });
  for (const user of USERS)
    await seedAccount(collections, user, user === 'alice' ? { roles: [BY_HAND] } : {});
}

async function withStore(open: Open, use: (store: Store) => Promise<void>): Promise<void> {
  const own = await open();
  try {
    await use(own.store);
  } finally {
    await own.drop();
  }
}

function withService(open: Open, use: (service: TestService) => Promise<void>): Promise<void> {
  return withStore(open, async (store) => {
    await seed(store);
    const service = await startTestService({ store });
    try {
      await use(service);
    } finally {
      await service.close();
    }
  });
}
