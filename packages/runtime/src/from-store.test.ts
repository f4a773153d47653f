import { toRefusal } from '@steward/errors';
import { Conflict, Unavailable } from '@steward/store';
import { describe, expect, it } from 'vitest';
import { fromStore } from './from-store.ts';

describe('an error of the store', () => {
  it.each([
    ['that is unavailable', new Unavailable('The engine is away')],
    ['that lost a race for as long as it was repeated', new Conflict('version')],
  ])('%s tells the caller to retry later', (_, error) => {
    expect(toRefusal(fromStore(error)).status).toBe(503);
  });

  it.each(['_id', 'external_ids', 'unknown'])(
    'that no handler expected, on the unique index %s, is a fault, because trying again fails again',
    (index) => {
      const error = new Conflict(index);
      expect(fromStore(error)).toBe(error);
      expect(toRefusal(error).status).toBe(500);
    },
  );

  it('of another kind is returned unchanged', () => {
    const error = new TypeError('A document needs an _id');
    expect(fromStore(error)).toBe(error);
  });
});
