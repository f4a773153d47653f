import type { MessageInitShape } from '@bufbuild/protobuf';
import { optionalInt64 } from '@steward/kernel';
import type { AutomationTokenSchema } from '@steward/proto/steward/user/v1/automation_tokens_pb.ts';
import type { Rights } from '@steward/rpc';
import type { AutomationToken } from '../../core/model/automation-token.ts';
import { roleNameOf } from '../../core/model/role.ts';
import { scopesIn } from '../../core/roles/account-rights.ts';
import { namesOf } from '../../core/roles/read-scopes.ts';

/** An automation token with its present rights, as administrators see it at a time, in milliseconds since the Unix epoch. */
export function toAutomationToken(
  token: AutomationToken,
  rights: Rights,
  now: number,
): MessageInitShape<typeof AutomationTokenSchema> {
  const previous = token.secrets.find(({ until }) => until !== null && until > now);
  const { role, last_used: used } = token;
  return {
    id: token._id,
    name: token.name,
    scopes: namesOf(scopesIn(rights)),
    ...(role === undefined ? {} : { role: roleNameOf(role) }),
    createdTs: BigInt(token.created_ts),
    createdBy: token.created_by,
    expiresTs: optionalInt64(token.expires_ts),
    allowedAddresses: [...token.allowed_addresses],
    previousSecretExpiresTs: optionalInt64(previous?.until ?? null),
    ...(used ? { lastUsed: { ts: BigInt(used.ts), address: used.address } } : {}),
  };
}
