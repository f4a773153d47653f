import { type DescMethodUnary, fromBinary, type Message, toBinary } from '@bufbuild/protobuf';
import { createClient, type Transport } from '@connectrpc/connect';
import { refuse } from '@steward/errors';
import { OrderedCallService } from '@steward/proto/steward/call/v1/ordered_calls_pb.ts';
import type { Scope } from '@steward/proto/steward/http/v1/annotations_pb.ts';
import { callPeer } from '@steward/rpc';

/** A call of a documented method. */
export interface OrderedCall {
  readonly method: DescMethodUnary;
  readonly request: Message;
  /** A call with the same id is carried out once. */
  readonly callId: string;
  readonly requestId: string;
  /** As in a header; empty without a reason. */
  readonly reason: string;
  /** Who ordered it, with the rights that are left. */
  readonly caller: {
    readonly userId: string;
    readonly owner: string;
    readonly credential: string;
    readonly deviceId?: string;
    readonly address: string;
    readonly admin: boolean;
    readonly scopes: Scope[];
  };
}

/** Makes calls of documented methods for those who ordered them. */
export interface OrderedCalls {
  /** @throws the refusal of the method */
  carryOut(call: OrderedCall): Promise<Message>;
}

/**
 * Makes the calls through transports at which calls enter a service: checked and recorded as requests.
 *
 * @param entranceOf the transport to the service of a package `steward.<service>.v1`; undefined while there is none
 */
export function orderedCallsThrough(entranceOf: (service: string) => Transport | undefined): OrderedCalls {
  return {
    async carryOut({ method, request, ...call }) {
      const { typeName } = method.parent;
      const transport = entranceOf(typeName.split('.')[1] ?? '');
      if (!transport) throw refuse.unavailable('The service is not started yet');
      const { response } = await callPeer(() =>
        createClient(OrderedCallService, transport).carryOutCall({
          ...call,
          method: `${typeName}/${method.name}`,
          request: toBinary(method.input, request),
        }),
      );
      return fromBinary(method.output, response);
    },
  };
}
