import { type DescMethodUnary, fromBinary } from '@bufbuild/protobuf';
import type { Interceptor, UnaryRequest } from '@connectrpc/connect';
import { refuse } from '@steward/errors';
import type { PlannedCall } from '@steward/proto/steward/plan/v1/plan_pb.ts';
import { headers, methodRules, plannedKey, type Route, requesterKey } from '@steward/rpc';

/**
 * Takes a call that asks for a plan for one of the method that it names, so that all checks of that method apply to it, each with its
 * refusals; at their end stands the planner in place of the method. It is the outermost interceptor.
 *
 * A client of services, which has its own identity, cannot ask for a plan.
 *
 * @param routes what is served
 */
export function planCalls(routes: readonly Route[]): Interceptor {
  const methods = new Map<string, DescMethodUnary>();
  for (const { service } of routes)
    for (const method of service.methods)
      if (method.methodKind === 'unary' && methodRules(method).planned)
        methods.set(`${service.typeName}/${method.name}`, method as DescMethodUnary);

  return (next) => (request) => {
    if (request.stream || !methodRules(request.method).plansRequests) return next(request);
    if (request.contextValues.get(requesterKey))
      throw refuse.forbidden('Plans are made for requests over HTTP');
    const { call } = request.message as unknown as { readonly call?: PlannedCall };
    const method = call && methods.get(call.method);
    if (!method) throw refuse.unknown('This request cannot be planned');
    // The key is for the request itself.
    request.header.delete(headers.idempotencyKey);
    request.contextValues.set(plannedKey, method);
    const planned = { service: method.parent, method, message: fromBinary(method.input, call.request) };
    return next(
      Object.assign(Object.create(Object.getPrototypeOf(request)), request, planned) as UnaryRequest,
    );
  };
}
