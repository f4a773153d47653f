import { createHash, timingSafeEqual } from 'node:crypto';
import { Code, ConnectError, type Interceptor } from '@connectrpc/connect';
import { headers } from '../headers.ts';

/** Shows the internal credential with every call, as the processes of one server know each other by it. */
export function presentCredential(credential: string): Interceptor {
  return (next) => (request) => {
    request.header.set(headers.credential, credential);
    return next(request);
  };
}

/**
 * Refuses every caller that does not know the internal credential: what such a caller says of who asks
 * is believed.
 */
export function requireCredential(credential: string): Interceptor {
  const expected = digest(credential);
  return (next) => (request) => {
    const shown = request.header.get(headers.credential);
    const known = shown !== null && timingSafeEqual(digest(shown), expected);
    if (!known) {
      throw new ConnectError('The internal credential is missing or wrong', Code.Unauthenticated);
    }
    return next(request);
  };
}

/** Of one length whatever is shown, so that the comparison takes one time. */
function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
