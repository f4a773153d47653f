import type { MessageInitShape } from '@bufbuild/protobuf';
import { refuse } from '@steward/errors';
import type { GetSupportResponseSchema } from '@steward/proto/steward/user/v1/server_pb.ts';
import type { Deps } from '../../core/deps.ts';

/** Returns the support contacts for users (client-plane.md 7.1). */
export function getSupport({ settings }: Deps): MessageInitShape<typeof GetSupportResponseSchema> {
  const { contacts, page } = settings.support;
  if (contacts.length === 0 && page === undefined) throw refuse.notFound('No support contact is configured');
  return {
    contacts: contacts.map(({ matrix_id: matrixId, email_address: emailAddress, role }) => ({
      ...(matrixId === undefined ? {} : { matrixId }),
      ...(emailAddress === undefined ? {} : { emailAddress }),
      role,
    })),
    ...(page === undefined ? {} : { supportPage: page }),
  };
}
