import type { DescMethodUnary } from '@bufbuild/protobuf';
import { RoomAdminService } from '@steward/proto/steward/room/v1/admin_rooms_pb.ts';
import { AccountService } from '@steward/proto/steward/user/v1/accounts_pb.ts';
import { expect, it } from 'vitest';
import { compile } from './bindings.ts';
import { forwardedWriters } from './forwarded-writers.ts';

const services = [AccountService, RoomAdminService];

it('writes each answer as its binding does, and knows no other forms', () => {
  const writers = forwardedWriters(services);
  const empty = {} as never;
  for (const { method, responseBodyField: responseBody, write } of compile(services)) {
    for (const profile of ['native', 'compat'] as const) {
      const form = { responseBody, compat: profile === 'compat' };
      const written = writers(method as DescMethodUnary, form);
      expect(written?.(empty)).toEqual(write(empty, profile));
    }
  }
  const { getUser } = AccountService.method;
  expect(writers(getUser, { responseBody: 'unknown', compat: false })).toBeUndefined();
});
