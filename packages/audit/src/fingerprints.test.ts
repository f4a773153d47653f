import { createHash } from 'node:crypto';
import { systemRandom } from '@steward/kernel';
import { openSqliteStore } from '@steward/store';
import { expect, it } from 'vitest';
import { openFingerprints } from './fingerprints.ts';

it('makes fingerprints that processes on one store share, and nobody else can compute', async () => {
  const [store, other] = [
    await openSqliteStore({ path: ':memory:' }),
    await openSqliteStore({ path: ':memory:' }),
  ];
  const [first, second] = [
    await openFingerprints(store, systemRandom),
    await openFingerprints(store, systemRandom),
  ];
  const elsewhere = await openFingerprints(other, systemRandom);
  const secret = 'abc1';
  expect(first(secret)).toMatch(/^hmac:[0-9a-f]{12}$/);
  expect(second(secret)).toBe(first(secret));
  expect(first('abc2')).not.toBe(first(secret));
  expect(elsewhere(secret)).not.toBe(first(secret));
  expect(first(secret)).not.toContain(createHash('sha256').update(secret).digest('hex').slice(0, 12));
  await store.close();
  await other.close();
});
