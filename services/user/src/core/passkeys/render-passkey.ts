import type { MessageInitShape } from '@bufbuild/protobuf';
import type { PasskeySchema } from '@steward/proto/steward/user/v1/passkeys_pb.ts';
import type { Account } from '../model/account.ts';
import type { Passkey } from '../model/passkey.ts';

/** The passkeys of an account as its user and administrators see them; never a key. */
export function renderPasskeys({ passkeys = [] }: Pick<Account, 'passkeys'>) {
  return { passkeys: passkeys.map(renderPasskey) };
}

/** A passkey as clients see it. */
export function renderPasskey({
  id,
  name,
  created_ts,
  used_ts,
}: Passkey): MessageInitShape<typeof PasskeySchema> {
  return {
    id,
    name,
    createdTs: BigInt(created_ts),
    ...(used_ts === null ? {} : { lastUsedTs: BigInt(used_ts) }),
  };
}
