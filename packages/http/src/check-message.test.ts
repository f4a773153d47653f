import { create, type MessageInitShape } from '@bufbuild/protobuf';
import { ServerNoticeService } from '@steward/proto/steward/moderation/v1/server_notices_pb.ts';
import { RoomAdminService } from '@steward/proto/steward/room/v1/admin_rooms_pb.ts';
import { AccountService } from '@steward/proto/steward/user/v1/accounts_pb.ts';
import { RoleService } from '@steward/proto/steward/user/v1/roles_pb.ts';
import { SessionService } from '@steward/proto/steward/user/v1/sessions_pb.ts';
import { expect, it } from 'vitest';
import { messageCheck } from './check-message.ts';

const { listRooms } = RoomAdminService.method;
const { listUsers, putUser, resetPassword } = AccountService.method;
const { createRole, setAccountRoles } = RoleService.method;
const { whoIs } = SessionService.method;
const { sendServerNotice } = ServerNoticeService.method;

const violationOf = <M extends Parameters<typeof messageCheck>[0]>(
  method: M,
  message: MessageInitShape<M['input']>,
) => messageCheck(method)(create(method.input, message))?.message;

it('admits a request whose fields follow their rules, or are absent', () => {
  expect(violationOf(listRooms, {})).toBeUndefined();
  expect(violationOf(listRooms, { limit: 10n, orderBy: 'name', dir: 'b' })).toBeUndefined();
  expect(violationOf(setAccountRoles, { userId: '@a:test', roles: [] })).toBeUndefined();
  const present = { paths: ['displayname', 'user_type'] };
  expect(violationOf(putUser, { userId: '@a:test', displayname: 'a', present })).toBeUndefined();
});

it.each([
  [listRooms, { limit: -1n }, "'limit' must be at least 0"],
  [listRooms, { orderBy: 'x' }, "'order_by' must be one of"],
  [listUsers, { filter: { limit: -1n } }, "'limit' must be at least 0"],
  [putUser, { present: { paths: ['__proto__'] } }, "'present' must name fields of the message"],
  [
    putUser,
    {
      threepids: [
        { medium: 'email', address: 'a@example.org' },
        { medium: 'email', address: 'x'.repeat(1_000) },
      ],
    },
    "'threepids[1].address' must have at most",
  ],
  [resetPassword, { userId: '@a:test' }, "'new_password' is missing"],
  [createRole, { scopes: ['users:read'] }, "'name' is missing"],
  [sendServerNotice, { userId: '"@a:test"' }, "'content' is missing"],
  // A variable of the path always has a value.
  [whoIs, {}, "'user_id' is not of the required form"],
  [
    sendServerNotice,
    { userId: '"@a:test"', content: '{"a":1,"a":2}' },
    "'content' must be the text of a JSON",
  ],
  [
    sendServerNotice,
    { userId: '"@a:test"', content: '1,"b":2' },
    "'content' must be the text of a JSON value",
  ],
] as const)('refuses %s of %o', (method, message, text) => {
  expect(violationOf(method, message as never)).toContain(text);
});

it('fills in a flattened message that the caller left out', () => {
  const request = create(listUsers.input);
  expect(messageCheck(listUsers)(request)).toBeUndefined();
  expect(request.filter).toMatchObject({ userType: [] });
});
