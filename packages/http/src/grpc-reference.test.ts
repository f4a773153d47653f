import { AuditService } from '@steward/proto/steward/moderation/v1/audit_pb.ts';
import { RoleService } from '@steward/proto/steward/user/v1/roles_pb.ts';
import { SessionService } from '@steward/proto/steward/user/v1/sessions_pb.ts';
import { expect, it } from 'vitest';
import { grpcReference } from './grpc-reference.ts';

const text = grpcReference([SessionService, RoleService, AuditService], (name) =>
  name === 'steward.user.v1.RoleService.ListRoles' ? 'One | two\n\nthree <4>.' : undefined,
);

it('has the methods that clients may call, with scope and endpoint, and no others', () => {
  expect(text).toContain(
    '| *ListRoles* | One \\| two three &lt;4>.<br>[ListRolesRequest](#user.v1.listrolesrequest) → [ListRolesResponse](#user.v1.listrolesresponse) | `access:read` | `GET /_service/admin/v1/roles` |',
  );
  expect(text).toMatch(/\| CreateRole \| .* \| `access:write` \| `POST /);
  expect(text).toMatch(/\| \*GetMe\* \| .* \| {2}\| `GET /);
  expect(text).toMatch(/→ stream of \[ExportAuditLogResponse\]/);
  expect(text).not.toMatch(/\bLogin\b|WhoAmI/);
});

it('has the messages that these methods can contain, once, and links to no other', () => {
  const anchors = [...text.matchAll(/<a id="([^"]+)">/g)].map(([, id]) => id);
  const links = [...text.matchAll(/\]\(#([^)]+)\)/g)].map(([, id]) => id);
  expect(new Set(anchors).size).toBe(anchors.length);
  expect(new Set(links)).toEqual(new Set(anchors));
  expect(text).toContain('| from | optional string |');
});
