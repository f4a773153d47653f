import { Scope } from '@steward/proto/steward/http/v1/annotations_pb.ts';
import { AuthorityService } from '@steward/proto/steward/user/v1/authority_pb.ts';
import { openSqliteStore } from '@steward/store';
import { describe, expect, it, onTestFinished } from 'vitest';
import { seedAccount, writableCollections } from '../../fixtures/state.ts';
import { startTestService } from '../../fixtures/test-service.ts';

describe('ReadRights', () => {
  it.each([
    ['active', {}, true],
    ['suspended', { suspended: true }, false],
    ['locked', { locked: true }, false],
    ['deactivated', { deactivated: true }, false],
  ])('answers for an administrator who is %s whether the rights still hold', async (_, state, admin) => {
    const store = await openSqliteStore({ path: ':memory:' });
    onTestFinished(() => store.close());
    const name = await seedAccount(await writableCollections(store), 'alice', { admin: true, ...state });
    const service = await startTestService({ store });
    onTestFinished(() => service.close());
    const rights = await service.client(AuthorityService).readRights({ name });
    expect(rights.admin).toBe(admin);
    expect(rights.scopes).toEqual([]);
  });
});

describe('ReadAuthority', () => {
  it('has the scope of notices for a sender of them, also after the setting names another one', async () => {
    const store = await openSqliteStore({ path: ':memory:' });
    onTestFinished(() => store.close());
    const collections = await writableCollections(store);
    const former = await seedAccount(collections, 'former', { acts_for_server: true });
    const service = await startTestService({ store });
    onTestFinished(() => service.close());
    const { accounts } = await service.client(AuthorityService).readAuthority({ userIds: [former] });
    expect(accounts).toMatchObject([{ userId: former, scopes: [Scope.NOTICES_SEND] }]);
  });
});
