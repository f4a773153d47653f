import { plansOfStreams } from '@steward/activity/testing';
import { openCollections } from '@steward/service';
import { expect, it } from 'vitest';
import { collections } from '../collections.ts';
import { activityStreams } from './streams.ts';

it('reads each stream of activity along an index, without sorting', async () => {
  const plans = await plansOfStreams(async (store) =>
    activityStreams(await openCollections(store, collections)),
  );
  expect(plans).not.toEqual([]);
  for (const [stream, plan] of plans) {
    expect([stream, plan]).toEqual([stream, expect.stringMatching(/^SEARCH .* INDEX /)]);
    expect(plan).not.toContain('ORDER BY');
  }
});
