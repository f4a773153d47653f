import { createHash, timingSafeEqual } from 'node:crypto';
import { Code, ConnectError, type Interceptor } from '@connectrpc/connect';
import { headers } from '../headers.ts';

/** Sends the internal credential, by which the processes of one server authenticate each other, with every call. */
export function sendCredential(credential: string): Interceptor {
  return (next) => (request) => {
    request.header.set(headers.credential, credential);
    return next(request);
  };
}

/**
 * Refuses every caller that does not know the internal credential: the server believes the headers of a caller
 * that does, such as the client's address.
 */
export function requireCredential(credential: string): Interceptor {
  const expected = digest(credential);
  return (next) => (request) => {
    const sent = request.header.get(headers.credential);
    const known = sent !== null && timingSafeEqual(digest(sent), expected);
    if (!known) {
      throw new ConnectError('The internal credential is missing or wrong', Code.Unauthenticated);
    }
    return next(request);
  };
}

/** A digest has the same length for every input, so that the comparison takes constant time. */
function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
