import { systemRandom } from '@steward/kernel';
import { MongoServerError } from 'mongodb';
import { describe, expect, it } from 'vitest';
import { Conflict, Unavailable } from '../../port/errors.ts';
import { InFlight } from '../client/in-flight.ts';
import { runOperation } from './run-operation.ts';

/** The errors of an operation that the server undid in favour of another one, in each form that servers give them. */
const undone = {
  'a write conflict of MongoDB': { code: 112, message: 'WriteConflict' },
  'a deadlock, with its code': { code: 16_908_292, message: 'deadlock detected' },
  'a deadlock during findAndModify, as an internal error': { code: 1, message: 'deadlock detected' },
  'a conflict of isolation during findAndModify, as an internal error': {
    code: 1,
    message: 'could not serialize access due to concurrent update',
  },
};

/** Runs an operation whose attempts fail with the given errors, one each, and then succeed. */
function run(errors: readonly { readonly code: number; readonly message: string }[]) {
  const left = [...errors];
  const operation = async () => {
    const error = left.shift();
    if (error) throw new MongoServerError({ ...error, errmsg: error.message });
    return 'done';
  };
  // The shortest pauses.
  const random = { ...systemRandom, below: () => 0 };
  return runOperation({ inFlight: new InFlight(), random }, operation, () => ['code']);
}

describe.each(Object.entries(undone))('an operation that the server undid: %s', (_, error) => {
  it('an undone operation is repeated', async () => {
    expect(await run([error, error])).toBe('done');
  });

  it('makes the store unavailable when the server undoes each attempt', async () => {
    await expect(run(Array(8).fill(error))).rejects.toThrow(Unavailable);
  });

  it('an undone operation is a conflict when another operation took its unique value', async () => {
    const duplicate = {
      code: 1,
      message: 'conflicting key value violates exclusion constraint "documents_rum_index_1"',
    };
    await expect(run([error, duplicate])).rejects.toThrow(Conflict);
  });
});

it.each([
  ['a conflict, which grow', 112, 'WriteConflict', [20, 40, 80, 160, 320, 640, 1_000]],
  ['a deadlock', 1, 'deadlock detected', Array(7).fill(3_000)],
])(
  'operations that were undone together pause for random times after %s',
  async (_, code, errmsg, expected) => {
    const ceilings: number[] = [];
    const random = { ...systemRandom, below: (bound: number) => ceilings.push(bound) && 0 };
    const operation = async () => {
      throw new MongoServerError({ code, message: errmsg, errmsg });
    };
    await expect(runOperation({ inFlight: new InFlight(), random }, operation, () => [])).rejects.toThrow();
    expect(ceilings).toEqual(expected);
  },
);

describe('another internal error', () => {
  it('another internal error is not repeated, because the server may have carried the operation out', async () => {
    await expect(run([{ code: 1, message: 'unexpected end of file' }])).rejects.toThrow(Unavailable);
  });
});
