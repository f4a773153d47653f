import { ImportedUserSchema } from '@steward/proto/steward/user/v1/import_pb.ts';
import { parseRecord } from '@steward/records';
import { describe, expect, it } from 'vitest';
import { toRecord } from './read-record.ts';

const read = (line: unknown, others: readonly string[] = []) =>
  toRecord(
    ImportedUserSchema,
    parseRecord(typeof line === 'string' ? line : JSON.stringify(line)),
    new Set(others),
  );

it('has the fields of the file, some of which may be null', () => {
  const threepids = [{ medium: 'email', address: 'a@example.org', added_at: 1, validated_at: '2' }];
  const record = read(
    { user_id: '@a:test', displayname: null, admin: true, created_ts: 5, threepids, more: {} },
    ['more'],
  );
  expect(record).toMatchObject({ userId: '@a:test', admin: true, createdTs: 5n });
  expect(record).toMatchObject({ threepids: [{ addedAt: 1n, validatedAt: 2n }] });
  expect(record.displayname).toBeUndefined();
});

describe('a problem names the field of the file', () => {
  it.each<[line: unknown, problem: string]>([
    ['{"user_id": "@a:test", "password_hash": "secret', 'the line is not JSON'],
    [[], 'the line is not a JSON object'],
    [{ amdin: true }, 'there is no field amdin'],
    [{ userId: '@a:test' }, 'there is no field userId'],
    [{ created_ts: 'yesterday' }, 'created_ts is not a whole number'],
    [{ created_ts: 1.5 }, 'created_ts is not a whole number'],
    [{ created_ts: 1e300 }, 'created_ts is not a whole number'],
    [{ admin: 1 }, 'admin is neither true nor false'],
    [{ displayname: 3 }, 'displayname is not text'],
    [{ threepids: {} }, 'threepids is not a list'],
    [{ threepids: [null] }, 'threepids is not a list of objects'],
    [{ threepids: [{ medium: 1 }] }, 'threepids.medium is not text'],
    [{ threepids: [{ adress: 'a' }] }, 'there is no field threepids.adress'],
  ])('%j', (line, problem) => {
    expect(() => read(line)).toThrow(new Error(problem));
  });
});
