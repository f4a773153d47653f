import {
  create,
  type DescMethodUnary,
  fromBinary,
  type Message,
  type MessageInitShape,
  toBinary,
} from '@bufbuild/protobuf';
import {
  createContextKey,
  type HandlerContext,
  type Interceptor,
  type UnaryRequest,
  type UnaryResponse,
} from '@connectrpc/connect';
import { refuse } from '@steward/errors';
import type { Clock } from '@steward/kernel';
import {
  type CarryOutCallRequest,
  type CarryOutCallResponse,
  CarryOutCallResponseSchema,
  OrderedCallService,
  type OrderingCaller,
} from '@steward/proto/steward/call/v1/ordered_calls_pb.ts';
import { Access } from '@steward/proto/steward/http/v1/annotations_pb.ts';
import { headers } from './headers.ts';
import { methodRules } from './method-rules.ts';
import { type CredentialKind, type Requester, requesterKey } from './requester.ts';
import { type Route, route } from './routes.ts';

const orderedKey = createContextKey<DescMethodUnary | undefined>(undefined, {
  description: 'the method that a task calls for who ordered it',
});

/** The credentials that have a kind, as the audit log names them. */
const CREDENTIALS: ReadonlySet<string> = new Set<CredentialKind>(['automation_token', 'session', 'client']);

type Handler = (request: Message, context: HandlerContext) => unknown;

/** The parts with which a process carries out calls that tasks make for those who ordered them. */
export interface OrderedCalls {
  /** Serves the calls. */
  readonly route: Route;
  /** The outermost interceptor: takes such a call for one of the method that it names, by the caller who ordered it. */
  readonly outermost: Interceptor;
  /** The innermost one: lets all others see the answer of that method. */
  readonly innermost: Interceptor;
}

/**
 * Carries out the calls that tasks make of the documented methods for administrators, so that all checks, the audit log, the feed and the keys
 * of actions apply to each as to a request. Who ordered it was identified then, and the task says which rights are left: no token is looked
 * up. A client of services cannot make such calls.
 *
 * @param routes what is served
 */
export function orderedCalls(routes: readonly Route[], clock: Clock): OrderedCalls {
  const methods = new Map<string, { readonly method: DescMethodUnary; readonly handler: Handler }>();
  for (const { service, implementation } of routes)
    for (const method of service.methods) {
      const handler = implementation[method.localName] as Handler | undefined;
      if (handler && method.methodKind === 'unary' && methodRules(method).access === Access.ADMIN)
        methods.set(`${service.typeName}/${method.name}`, {
          method: method as DescMethodUnary,
          handler: handler.bind(implementation),
        });
    }
  const handlerOf = (method: DescMethodUnary | undefined) =>
    method && methods.get(`${method.parent.typeName}/${method.name}`)?.handler;

  return {
    route: route(OrderedCallService, {
      async carryOutCall(message: unknown, context) {
        const method = context.values.get(orderedKey);
        const handler = handlerOf(method);
        if (!method || !handler) throw new TypeError('A call that no interceptor has taken');
        const answer = (await handler(message as Message, context)) as MessageInitShape<typeof method.output>;
        return { response: toBinary(method.output, create(method.output, answer)) };
      },
    }),
    outermost: (next) => async (request) => {
      if (request.stream || request.method !== (OrderedCallService.method.carryOutCall as unknown))
        return next(request);
      if (request.contextValues.get(requesterKey)) throw refuse.forbidden('Only tasks make such calls');
      const { method: name, caller, ...call } = request.message as unknown as CarryOutCallRequest;
      const served = methods.get(name);
      if (!served || !caller) throw refuse.unknown('This method is not served to tasks');
      const { method } = served;
      request.contextValues.set(orderedKey, method);
      request.contextValues.set(requesterKey, requesterOf(caller, clock.now()));
      request.header.set(headers.idempotencyKey, call.callId);
      request.header.set(headers.requestId, call.requestId);
      request.header.set(headers.clientAddress, caller.address);
      if (call.reason !== '') request.header.set(headers.reason, call.reason);
      const taken = { service: method.parent, method, message: fromBinary(method.input, call.request) };
      const answer = await next(
        Object.assign(Object.create(Object.getPrototypeOf(request)), request, taken) as UnaryRequest,
      );
      const response = toBinary(method.output, answer.message as Message);
      return answerOf(answer as UnaryResponse, OrderedCallService.method.carryOutCall, {
        response,
      });
    },
    innermost: (next) => async (request) => {
      const method = request.contextValues.get(orderedKey);
      const answer = await next(request);
      if (!method || answer.stream) return answer;
      const { response } = answer.message as unknown as CarryOutCallResponse;
      return { ...answerOf(answer, method, {}), message: fromBinary(method.output, response) };
    },
  };
}

/** An answer as that of another method. */
function answerOf(
  { header, trailer }: UnaryResponse,
  method: DescMethodUnary,
  message: { readonly response?: Uint8Array },
): UnaryResponse {
  return {
    ...{ stream: false, service: method.parent, method, header, trailer },
    message: create(CarryOutCallResponseSchema, message),
  };
}

/** Who ordered a call. The step-up of an administrator session was required when it was ordered. */
function requesterOf(
  { userId, owner, credential, deviceId, admin, scopes }: OrderingCaller,
  now: number,
): Requester {
  const kind = CREDENTIALS.has(credential) ? { kind: credential as CredentialKind, provedTs: now } : {};
  return {
    ...{ userId, owner, ...kind, deviceId, tokenId: '' },
    ...{ admin, scopes, guest: false, shadowBanned: false, suspended: false },
  };
}
