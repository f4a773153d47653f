import type { Message } from '@bufbuild/protobuf';
import type { Interceptor } from '@connectrpc/connect';
import { toConnectError } from '@steward/errors';
import { messageCheck } from '@steward/http';
import { requesterKey } from '@steward/rpc';

/**
 * Refuses a request of a client of services with a violation of the declared rules of its fields. Other requests have passed a
 * gateway, which has checked them.
 */
export const checkClientRequests: Interceptor = (next) => (request) => {
  const isClient = request.contextValues.get(requesterKey)?.kind === 'client';
  const violation =
    isClient && !request.stream ? messageCheck(request.method)(request.message as Message) : undefined;
  if (!violation) return next(request);
  const { status, errcode, message } = violation;
  throw toConnectError({ status, errcode, message });
};
