import { create, type MessageInitShape, toBinary } from '@bufbuild/protobuf';
import { ConnectError } from '@connectrpc/connect';
import type { Failure, FailureSchema } from '@steward/proto/steward/rpc/v1/link_pb.ts';

/** What a link sends of an error: what the caller may know, without its cause. */
export function toFailure({
  code,
  rawMessage,
  details,
}: ConnectError): MessageInitShape<typeof FailureSchema> {
  return {
    code,
    message: rawMessage,
    details: details.map((detail) =>
      'desc' in detail
        ? { type: detail.desc.typeName, value: toBinary(detail.desc, create(detail.desc, detail.value)) }
        : { type: detail.type, value: detail.value },
    ),
  };
}

/** The error that a link received. */
export function fromFailure({ code, message, details }: Failure, header: Headers): ConnectError {
  const error = new ConnectError(message, code, header);
  error.details = details.map(({ type, value }) => ({ type, value }));
  return error;
}
