import { KeyBackupService } from '@steward/proto/steward/user/v1/key_backups_pb.ts';
import { openSqliteStore } from '@steward/store';
import { createFakeClock } from '@steward/testing';
import { expect, it, onTestFinished } from 'vitest';
import { idOf, seedAccount, writableCollections } from '../../fixtures/state.ts';
import { refusalOf, startTestService } from '../../fixtures/test-service.ts';

const ALICE = idOf('alice');
const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;

/** A service whose user has a backup, for which 5,000 bytes are permitted. */
async function prepared() {
  const store = await openSqliteStore({ path: ':memory:' });
  const collections = await writableCollections(store);
  await seedAccount(collections, 'alice', { logins: { token: 'A' } });
  const clock = createFakeClock();
  const service = await startTestService({ store, clock, config: { quotas: { key_backup_bytes: 5_000 } } });
  onTestFinished(async () => {
    await service.close();
    await store.close();
  });
  const client = service.client(KeyBackupService, { token: 'token' });
  const { version } = await client.createKeyBackup({ algorithm: 'm.example', authData: '{}' });
  const put = (sessionId: string, length: number) =>
    refusalOf(
      client.putSessionKey({
        version,
        roomId: '!room:test',
        sessionId,
        firstMessageIndex: 1,
        forwardedCount: 1,
        isVerified: false,
        sessionData: JSON.stringify({ x: 'x'.repeat(length) }),
      }),
    );
  const bytes = async () => (await collections.keyBackups.findOne({ user_id: ALICE }))?.bytes ?? 0;
  return { ...collections, clock, put, bytes };
}

it('counts the keys that an earlier version of the server has stored', async () => {
  const { keyBackups, put, bytes } = await prepared();
  expect(await put('a', 3_000)).toBeUndefined();
  const counted = await bytes();
  expect(counted).toBeGreaterThan(3_000);
  await keyBackups.updateOne({ user_id: ALICE }, { $unset: { bytes: true } });
  expect(await put('b', 3_000)).toBe('M_RESOURCE_LIMIT_EXCEEDED');
  expect(await bytes()).toBe(counted);
});

it('counts the keys again before it refuses further ones, at most once an hour', async () => {
  const { keyBackups, clock, put, bytes } = await prepared();
  expect(await put('a', 100)).toBeUndefined();
  // The state that a process leaves when it reserves space and crashes.
  const leak = () => keyBackups.updateOne({ user_id: ALICE }, { $inc: { bytes: 10_000 } });
  await leak();
  // The keys may still be written.
  expect(await put('b', 100)).toBe('M_RESOURCE_LIMIT_EXCEEDED');
  clock.advance(MINUTE_MS);
  expect(await put('b', 100)).toBeUndefined();
  expect(await bytes()).toBeLessThan(2_000);
  await leak();
  clock.advance(MINUTE_MS);
  expect(await put('c', 100)).toBe('M_RESOURCE_LIMIT_EXCEEDED');
  clock.advance(HOUR_MS);
  expect(await put('c', 100)).toBeUndefined();
});
