import type { DescMessage, DescMethodStreaming, MessageInitShape, MessageShape } from '@bufbuild/protobuf';
import type { Transport } from '@connectrpc/connect';

/** No deadline: what is still moving may go on, what is not is given up, see `watchStall`. */
const NO_TIMEOUT_MS = 0;

/** Makes a call that takes or answers as long as bytes move; resolves with the messages that it answers. */
export async function callStream<I extends DescMessage, O extends DescMessage>(
  transport: Transport,
  method: DescMethodStreaming<I, O>,
  signal: AbortSignal,
  header: Readonly<Record<string, string>>,
  messages: AsyncIterable<MessageInitShape<I>>,
): Promise<AsyncIterable<MessageShape<O>>> {
  const { message } = await transport.stream(method, signal, NO_TIMEOUT_MS, header, messages);
  return message;
}
