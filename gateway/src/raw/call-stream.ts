import type { DescMessage, DescMethodStreaming, MessageInitShape, MessageShape } from '@bufbuild/protobuf';
import type { Transport } from '@connectrpc/connect';

/** No deadline: a stream may take any time while bytes move; `watchStall` aborts it when they do not. */
const NO_TIMEOUT_MS = 0;

/** Makes a streaming call and resolves with the messages of the answer. */
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
