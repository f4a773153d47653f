import type { Interceptor } from '@connectrpc/connect';
import { headers } from '../headers.ts';

/** Sends the internal credential, by which the processes of one server authenticate each other, with every call. */
export function sendCredential(credential: string): Interceptor {
  return (next) => (request) => {
    request.header.set(headers.credential, credential);
    return next(request);
  };
}
