import type { DescService } from '@bufbuild/protobuf';
import { createClient, type Transport } from '@connectrpc/connect';
import { refuse, toConnectError } from '@steward/errors';
import type { Binding } from '@steward/http';
import { Access } from '@steward/proto/steward/http/v1/annotations_pb.ts';
import { SessionService } from '@steward/proto/steward/user/v1/sessions_pb.ts';
import { checkAccess, readsToken } from '@steward/rpc';
import type { FastifyRequest } from 'fastify';
import { accessToken } from './access-token.ts';
import { segmentsOf } from './raw-path.ts';
import { queryOf, type RequestContext } from './transcode.ts';

/** The largest body that is read of somebody who need not say who they are, in bytes. */
export const PUBLIC_BODY_LIMIT_BYTES = 2 * 1024 * 1024;

/** From how large a body on its sender is looked up before it is read, in bytes. */
const LOOK_UP_FIRST_BYTES = 64 * 1024;

/** The longest token; a longer one is nobody's (client-plane.md 2.1). */
const MAX_TOKEN_LENGTH = 512;

/**
 * What is checked before a body is read: the path, where its violations come first; that there is a token
 * where one is needed; and before a large one is, that it is somebody's whom the method admits. A small
 * body costs less than that look-up, which the service makes anyway.
 */
export function guard(
  { rules, checkPath }: Binding,
  transportOf: (service: DescService) => Transport,
  contextOf: (request: FastifyRequest) => RequestContext,
): (request: FastifyRequest) => Promise<void> {
  const sessions = createClient(SessionService, transportOf(SessionService));
  return async (request) => {
    if (rules.parseBeforeAuth) {
      const violation = checkPath(segmentsOf(request));
      if (violation) throw toConnectError(violation);
    }
    const access = contextOf(request).profile === 'compat' ? rules.compatAccess : rules.access;
    if (!readsToken(access)) return;
    const token = accessToken(request.raw, queryOf(request.raw.url ?? ''));
    if (token === undefined) {
      if (access !== Access.OPTIONAL) throw refuse.missingToken('Missing access token');
      return;
    }
    if (token.length > MAX_TOKEN_LENGTH) throw refuse.unknownToken('Unknown access token');
    if (announcedBytes(request) <= LOOK_UP_FIRST_BYTES) return;
    const { allowLocked, allowExpired } = rules;
    const caller = await sessions.authenticate({ accessToken: token, allowLocked, allowExpired });
    checkAccess(access, caller);
  };
}

/** How large a body is said to be, in bytes. */
function announcedBytes(request: FastifyRequest): number {
  const { 'content-length': length, 'transfer-encoding': encoding } = request.headers;
  if (length !== undefined) return Number(length);
  return encoding === undefined ? 0 : Number.POSITIVE_INFINITY;
}
