import { ConditionService } from '@steward/proto/steward/user/v1/conditions_pb.ts';
import { openSqliteStore } from '@steward/store';
import { createFakeClock } from '@steward/testing';
import { expect, it } from 'vitest';
import { crossSigningKeys } from '../../core/model/cross-signing-keys.ts';
import { seedAccount, writableCollections } from '../../fixtures/state.ts';
import { startTestService } from '../../fixtures/test-service.ts';

/** How long the permission lasts (behaviour.md 13.1). */
const PERMISSION_MS = 600_000;

it('permits the replacement for ten minutes from each call', async () => {
  const store = await openSqliteStore({ path: ':memory:' });
  const collections = await writableCollections(store);
  const userId = await seedAccount(collections, 'alice');
  const keys = await store.collection(crossSigningKeys);
  await keys.insertOne({
    _id: userId,
    version: 1,
    epoch: 0,
    master: '{}',
    self_signing: null,
    user_signing: null,
    master_signatures: '{}',
  });
  const clock = createFakeClock();
  const service = await startTestService({ store, clock });
  for (let i = 0; i < 2; i++) {
    clock.advance(1);
    const until = clock.now() + PERMISSION_MS;
    const { updatableWithoutUiaBeforeMs } = await service
      .client(ConditionService)
      .allowCrossSigningReplacement({ userId });
    expect(Number(updatableWithoutUiaBeforeMs)).toBe(until);
    expect(await collections.accounts.findOne({ _id: userId })).toMatchObject({
      cross_signing_replacement_until_ms: until,
    });
  }
  await service.close();
  await store.close();
});
