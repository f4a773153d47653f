import type { Middleware } from '@steward/sdk';

/** Returns what asks a server what a request would do, in place of sending it. A server without plans does not have the path. */
export function planRequests(server: string): Middleware {
  return (request, next) => {
    const { method, url, body } = request;
    request.headers.set('content-type', 'application/json');
    const planned = {
      method,
      path: url.slice(server.length),
      ...(typeof body === 'string' && { body: JSON.parse(body) }),
    };
    return next({
      ...request,
      method: 'POST',
      url: `${server}/_service/admin/v1/plans`,
      body: JSON.stringify(planned),
    });
  };
}
