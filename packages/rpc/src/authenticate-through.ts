import { createClient, type Transport } from '@connectrpc/connect';
import { SessionService } from '@steward/proto/steward/user/v1/sessions_pb.ts';
import { callPeer } from './call-peer.ts';
import type { Authenticate } from './interceptors/identify.ts';
import type { CredentialKind } from './requester.ts';

/**
 * Looks tokens up at the service that owns them, for the other services. Its refusals become those of the
 * current call; when it cannot be reached, the refusal tells the caller to retry later.
 */
export function authenticateThrough(transport: Transport): Authenticate {
  const sessions = createClient(SessionService, transport);
  return async (accessToken, { allowLocked, allowExpired }, client) => {
    const request = {
      accessToken,
      allowLocked,
      allowExpired,
      ...(client ? { clientAddress: client.address, clientUserAgent: client.userAgent } : {}),
    };
    const { $typeName, $unknown, deviceId, kind, provedTs, proofStages, ...found } = await callPeer(() =>
      sessions.authenticate(request),
    );
    return {
      ...found,
      deviceId,
      ...(kind === '' ? {} : { kind: kind as CredentialKind, provedTs, proofStages }),
    };
  };
}
