import { create } from '@bufbuild/protobuf';
import {
  DeactivateRequestSchema,
  PutAdminFlagRequestSchema,
  PutUserRequestSchema,
} from '@steward/proto/steward/user/v1/accounts_pb.ts';
import { SetRateLimitRequestSchema } from '@steward/proto/steward/user/v1/conditions_pb.ts';
import { DeleteDevicesRequestSchema } from '@steward/proto/steward/user/v1/devices_pb.ts';
import { RegisterWithSecretRequestSchema } from '@steward/proto/steward/user/v1/registration_pb.ts';
import { describe, expect, it } from 'vitest';
import { describeRequest } from './describe-request.ts';

const MAX_BYTES = 4096;

it('contains what was sent and what was null, and no secret', () => {
  const request = create(PutUserRequestSchema, {
    userId: '@a:test',
    present: { paths: ['displayname', 'password', 'threepids', 'avatar_url'] },
    password: 'the password',
    threepids: [{ medium: 'email', address: 'a@example.org' }],
    externalIds: [{ authProvider: 'oidc', externalId: 'a' }],
    deactivated: false,
    avatarUrl: '',
  });
  const { json, truncated } = describeRequest(PutUserRequestSchema, request, true);
  expect(JSON.parse(json)).toEqual({
    user_id: '@a:test',
    displayname: null,
    password: '[redacted]',
    threepids: [{ medium: 'email', address: '[redacted]' }],
    external_ids: [{ auth_provider: 'oidc', external_id: 'a' }],
    deactivated: false,
    avatar_url: '',
  });
  expect(truncated).toBe(false);
});

it('truncates long texts and lists, and remains JSON', () => {
  const devices = Array.from({ length: 1_000 }, (_, n) => `DEVICE ${n} \u{1F9F9}"`);
  const request = create(DeleteDevicesRequestSchema, {
    userId: `@${'\0\ud83e'.repeat(5_000)}:test`,
    devices,
  });
  const { json, truncated } = describeRequest(DeleteDevicesRequestSchema, request, true);
  expect(Buffer.byteLength(json)).toBeLessThanOrEqual(MAX_BYTES);
  expect(truncated).toBe(true);
  const described = JSON.parse(json);
  expect(described.user_id).toMatch(/^@.{512,4096}$/su);
  expect(devices.slice(0, described.devices.length)).toEqual(described.devices);
});

it('needs the same space for a secret of any length', () => {
  const request = create(RegisterWithSecretRequestSchema, { username: 'a', password: 'x'.repeat(100_000) });
  expect(describeRequest(RegisterWithSecretRequestSchema, request, false)).toEqual({
    json: '{"username":"a","password":"[redacted]"}',
    truncated: false,
  });
});

describe('a flag or number that has the value of an absent one', () => {
  const admin = create(PutAdminFlagRequestSchema, { userId: '@a:test', admin: false });

  it.each([
    [PutAdminFlagRequestSchema, admin, { user_id: '@a:test', admin: false }],
    [DeactivateRequestSchema, create(DeactivateRequestSchema), { erase: false }],
    [
      SetRateLimitRequestSchema,
      create(SetRateLimitRequestSchema),
      { messages_per_second: 0, burst_count: 0 },
    ],
    [PutUserRequestSchema, create(PutUserRequestSchema, { locked: false }), { locked: false }],
  ])('appears in the description of %s', (schema, request, described) => {
    expect(JSON.parse(describeRequest(schema, request, true).json)).toEqual(described);
  });

  it('does not appear when the request was not read to its end', () => {
    const { json } = describeRequest(PutAdminFlagRequestSchema, admin, false);
    expect(JSON.parse(json)).toEqual({ user_id: '@a:test' });
  });
});
