import {
  MongoBulkWriteError,
  MongoInvalidArgumentError,
  MongoNetworkError,
  MongoServerError,
  MongoServerSelectionError,
  MongoTopologyClosedError,
  type WriteError,
} from 'mongodb';
import { describe, expect, it } from 'vitest';
import { Conflict, Unavailable, Unusable } from '../../port/errors.ts';
import { translateError } from './translate-error.ts';

const serverError = (code: number, message: string, more: object = {}) =>
  new MongoServerError({ code, message, errmsg: message, ...more });

describe('a duplicate', () => {
  it.each([
    ['E11000 duplicate key error collection: s.user.accounts index: code dup key: { code: "x" }', 'code'],
    [
      'E11000 duplicate key error collection: s.user.accounts index: _id_ dup key: { _id: " index: y " }',
      '_id',
    ],
    [
      'E11000 duplicate key error collection: s.a.b index: code collation: { locale: "de" } dup key: { code: 1 }',
      'code',
    ],
    ["Duplicate key violation on the requested collection: Index 'code'", 'code'],
    ["Duplicate key violation on the requested collection: Index '_id_'", '_id'],
  ])('names its index: %s', (message, index) => {
    const error = serverError(11000, message);
    expect(translateError(error)).toMatchObject({ name: 'Conflict', index, insertedCount: 0, cause: error });
  });

  it('a duplicate is on `_id` when its key is', () => {
    expect(translateError(serverError(11000, 'taken', { keyPattern: { _id: 1 } }))).toMatchObject({
      index: '_id',
    });
  });

  it('a duplicate is on the index that the operation can violate when the server names none', () => {
    const some = serverError(
      1,
      'conflicting key value violates exclusion constraint "documents_rum_index_6"',
    );
    expect(translateError(some, ['code'])).toMatchObject({ name: 'Conflict', index: 'code' });
    expect(translateError(some)).toMatchObject({ name: 'Conflict', index: 'unknown' });
    const onId = serverError(1, 'duplicate key value violates unique constraint "collection_pk_16"');
    expect(translateError(onId, ['code'])).toMatchObject({ name: 'Conflict', index: '_id' });
  });
});

describe('a write of several', () => {
  const bulkError = (...failures: { code: number; errmsg: string }[]) => {
    const result = { insertedCount: 3, matchedCount: 0, modifiedCount: 0, deletedCount: 0, upsertedCount: 0 };
    const error = new MongoBulkWriteError(
      { message: 'failed', code: failures[0]?.code ?? 64, writeErrors: failures as WriteError[] },
      result as never,
    );
    return Object.assign(error, { result });
  };
  const duplicate = { code: 11000, errmsg: "Duplicate key violation: Index 'code'" };

  it('reports the first conflict and the number of inserts', () => {
    const other = { code: 11000, errmsg: "Duplicate key violation: Index '_id_'" };
    const translated = translateError(bulkError(duplicate, other));
    expect(translated).toBeInstanceOf(Conflict);
    expect(translated).toMatchObject({ index: 'code', insertedCount: 3 });
  });

  it('reports trouble before a conflict', () => {
    expect(translateError(bulkError(duplicate, { code: 16908292, errmsg: 'deadlock' }))).toBeInstanceOf(
      Unavailable,
    );
  });

  it.each([
    ['could not serialize access', 16_777_220],
    ['disk full', 4_293],
    ['out of memory', 8_389],
    ['lock not available', 50_463_045],
    ['internal error', 2_600],
  ])('reports trouble of PostgreSQL: %s', (errmsg, code) => {
    expect(translateError(bulkError({ code, errmsg }))).toBeInstanceOf(Unavailable);
  });

  it('a write of several is not durable when it did not reach the majority', () => {
    expect(translateError(bulkError())).toBeInstanceOf(Unavailable);
  });
});

describe('trouble', () => {
  it.each([
    new MongoNetworkError('connection 1 to 127.0.0.1:27017 closed'),
    new MongoServerSelectionError('connect ECONNREFUSED', { name: 'reason' } as never),
    new MongoTopologyClosedError(),
    serverError(1, 'sorry, too many clients already'),
    serverError(18, 'Authentication failed'),
    serverError(50, 'operation exceeded time limit'),
    serverError(10107, 'not primary'),
    serverError(91, 'shutdown in progress'),
    serverError(134, 'no majority is available yet for the read concern of the URL'),
    Object.assign(new Error('This socket has been ended by the other party'), { code: 'EPIPE' }),
    Object.assign(new Error('Cannot call write after a stream was destroyed'), {
      code: 'ERR_STREAM_DESTROYED',
    }),
  ])('makes the store unavailable: %s', (error) => {
    const translated = translateError(error);
    expect(translated).toBeInstanceOf(Unavailable);
    expect(translated).toMatchObject({ cause: error });
  });
});

it.each([
  serverError(2, 'unknown operator: $wrong'),
  serverError(14, 'Cannot apply $inc to a value of non-numeric type'),
  new MongoInvalidArgumentError('Argument "docs" must be an array'),
  new TypeError('not ours'),
])('returns errors that a retry does not fix as they are: %s', (error) => {
  expect(translateError(error)).toBe(error);
});

it('an error is final when the server requires other credentials', () => {
  const error = serverError(13, 'Command createIndexes requires authentication');
  expect(translateError(error)).toEqual(new Unusable('The store refuses the operation', { cause: error }));
});
