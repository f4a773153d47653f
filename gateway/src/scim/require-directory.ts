import type { Client } from '@connectrpc/connect';
import { refuse } from '@steward/errors';
import { Access, Scope } from '@steward/proto/steward/http/v1/annotations_pb.ts';
import type { SessionService } from '@steward/proto/steward/user/v1/sessions_pb.ts';
import { checkAccess, isAutomationToken } from '@steward/rpc';
import type { FastifyRequest } from 'fastify';
import { tokenInHeader } from '../access-token.ts';
import { clientOf } from '../client-of.ts';
import { queryOf } from '../transcode.ts';

/**
 * Admits programs only: an automation token with the scope of SCIM.
 *
 * @throws refuse.missingToken, refuse.unknownToken for another credential, refuse.forbidden without the scope
 */
export async function requireDirectory(
  sessions: Client<typeof SessionService>,
  request: FastifyRequest,
): Promise<void> {
  const token = tokenInHeader(request.raw, queryOf(request.raw.url ?? ''));
  if (token === undefined) throw refuse.missingToken('Missing automation token');
  if (!isAutomationToken(token)) throw refuse.unknownToken('SCIM requires an automation token');
  const caller = await sessions.authenticate({ accessToken: token, ...clientOf(request) });
  checkAccess(Access.ADMIN, { scope: Scope.SCIM_WRITE, anyCredential: true }, caller);
}
