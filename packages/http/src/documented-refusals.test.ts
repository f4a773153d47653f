import { AccountService } from '@steward/proto/steward/user/v1/accounts_pb.ts';
import { DeviceService } from '@steward/proto/steward/user/v1/devices_pb.ts';
import { RegistrationService } from '@steward/proto/steward/user/v1/registration_pb.ts';
import { describe, expect, test } from 'vitest';
import { type Binding, compile } from './bindings.ts';

// The refusals of behaviour.md, appendix B and chapters 1 to 3, that follow from the contract alone.

const bindings = compile([AccountService, DeviceService, RegistrationService]);
const params = { user_id: '@u:s', device_id: 'D' };

const errcodeOf = (method: string, query: string, body: string) => {
  const binding = bindings.find((candidate) => candidate.method.name === method) as Binding;
  return binding.read({ params, query, body: new TextEncoder().encode(body) }).deferred?.errcode;
};

describe('bodies', () => {
  test.each([
    ['PutUser', '', 'M_NOT_JSON'],
    ['PutUser', '[]', 'M_BAD_JSON'],
    ['PutUser', '{"admin": "x"}', 'M_BAD_JSON'],
    ['PutUser', '{"admin": null}', 'M_BAD_JSON'],
    ['PutUser', '{"user_type": 1}', 'M_UNKNOWN'],
    ['PutUser', '{"user_type": null}', undefined],
    ['PutUser', '{"deactivated": "false"}', 'M_UNKNOWN'],
    ['PutUser', '{"locked": 1}', 'M_UNKNOWN'],
    ['PutUser', '{"logout_devices": 1}', 'M_UNKNOWN'],
    ['PutUser', '{"password": 1}', 'M_UNKNOWN'],
    ['PutUser', `{"password": "${'x'.repeat(513)}"}`, 'M_UNKNOWN'],
    ['PutUser', '{"password": null}', undefined],
    ['PutUser', '{"threepids": [{"medium": "email"}]}', 'M_MISSING_PARAM'],
    ['PutUser', '{"threepids": "x"}', 'M_BAD_JSON'],
    ['PutUser', '{"threepids": ["x"]}', 'M_BAD_JSON'],
    ['PutUser', '{"threepids": null, "external_ids": null}', undefined],
    ['PutUser', '{"name": 1, "is_guest": 0, "creation_ts": 1.5, "id": "@u:s"}', undefined],
    ['PutUser', '{"locked": 1, "admin": 1, "threepids": [{}]}', 'M_MISSING_PARAM'],
    ['Deactivate', '', undefined],
    ['Deactivate', '{"erase": 1}', 'M_BAD_JSON'],
    ['ResetPassword', '{}', 'M_MISSING_PARAM'],
    ['ResetPassword', '{"new_password": 1}', 'M_INVALID_PARAM'],
    ['ResetPassword', '{"new_password": "x", "logout_devices": "no"}', undefined],
    ['PutAdminFlag', '{}', 'M_MISSING_PARAM'],
    ['PutAdminFlag', '{"admin": "false"}', 'M_BAD_JSON'],
    ['CreateDevice', '{}', 'M_UNKNOWN'],
    ['UpdateDevice', `{"display_name": "${'x'.repeat(101)}"}`, 'M_TOO_LARGE'],
    ['UpdateDevice', '{"display_name": null}', undefined],
    ['DeleteDevices', '{}', 'M_MISSING_PARAM'],
    ['DeleteDevices', '{"devices": [1]}', 'M_BAD_JSON'],
    ['DeleteDevice', '{', undefined],
    ['RegisterWithSecret', '{}', 'M_BAD_JSON'],
    ['RegisterWithSecret', '{"nonce": "n", "username": "a\\u0000b"}', 'M_UNKNOWN'],
    ['RegisterWithSecret', '{"nonce": "n", "username": "a", "password": "p", "mac": 1}', undefined],
  ])('%s %s: %s', (method, body, errcode) => expect(errcodeOf(method, '', body)).toBe(errcode));
});

describe('queries', () => {
  test.each([
    ['ListUsers', 'limit=-1', 'M_INVALID_PARAM'],
    ['ListUsers', 'from=x', 'M_INVALID_PARAM'],
    ['ListUsers', 'limit=', 'M_INVALID_PARAM'],
    ['ListUsers', 'limit=100000000000', undefined],
    ['ListUsers', 'limit=0&from=9223372036854775807', undefined],
    ['ListUsers', 'guests=x', 'M_INVALID_PARAM'],
    ['ListUsers', 'deactivated=1', 'M_INVALID_PARAM'],
    ['ListUsers', 'order_by=x', 'M_INVALID_PARAM'],
    ['ListUsers', 'dir=F', 'M_INVALID_PARAM'],
    ['ListUsers', 'name=%FF', 'M_UNKNOWN'],
    ['ListUsers', 'unknown=1&not_user_type=&not_user_type=x', undefined],
    ['CheckUsername', '', 'M_MISSING_PARAM'],
    ['CheckUsername', 'username=', undefined],
    ['ListDevices', 'order_by=id&from=x', undefined],
  ])('%s ?%s: %s', (method, query, errcode) => expect(errcodeOf(method, query, '{"a":')).toBe(errcode));
});
