import { Code } from '@connectrpc/connect';
import { KeyBackupService } from '@steward/proto/steward/user/v1/key_backups_pb.ts';
import { Conflict, openSqliteStore } from '@steward/store';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { seedAccount, writableCollections } from './fixtures/state.ts';
import { startTestService, type TestService } from './fixtures/test-service.ts';
import { watchedStore } from './fixtures/watched-store.ts';

const BACKUP = { algorithm: 'm.megolm_backup.v1', authData: '{}' };

let service: TestService;
let close: () => Promise<void>;
beforeEach(async () => {
  const store = await openSqliteStore({ path: ':memory:' });
  await seedAccount(await writableCollections(store), 'alice', { logins: { token: 'A' } });
  const conflicting = watchedStore(store, ({ collection, operation }) => {
    if (collection === 'user.key_backups' && operation === 'insertOne') throw new Conflict('by_name');
  });
  service = await startTestService({ store: conflicting });
  close = async () => {
    await service.close();
    await store.close();
  };
});
afterEach(() => close());

it('reports a conflict on a unique index that no verb expects as an internal error, not as a temporary one', async () => {
  const created = service.client(KeyBackupService, { token: 'token' }).createKeyBackup(BACKUP);
  await expect(created).rejects.toMatchObject({ code: Code.Internal });
  expect(service.faults).toEqual([expect.objectContaining({ index: 'by_name' })]);
});
