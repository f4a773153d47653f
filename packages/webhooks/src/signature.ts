import { createHmac } from 'node:crypto';

/** What a signature covers. */
export interface SignedMessage {
  /** The same in every attempt, so that receivers recognise a repetition. Contains no `.`, which separates the parts. */
  readonly id: string;
  /** The time of the attempt in whole seconds since the Unix epoch: receivers refuse old ones. */
  readonly timestampSeconds: number;
  /** The body as it is sent, byte for byte. */
  readonly body: string;
}

/**
 * The headers of a message after Standard Webhooks 1.0: `webhook-id`, `webhook-timestamp` and `webhook-signature`.
 *
 * @param secrets the bytes of each secret that is in force, the newest first; each makes one signature
 */
export function signatureHeaders(
  { id, timestampSeconds, body }: SignedMessage,
  secrets: readonly Uint8Array[],
): Record<string, string> {
  const content = `${id}.${timestampSeconds}.${body}`;
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestampSeconds),
    'webhook-signature': secrets.map((secret) => `v1,${signatureOf(content, secret)}`).join(' '),
  };
}

function signatureOf(content: string, secret: Uint8Array): string {
  return createHmac('sha256', secret).update(content).digest('base64');
}
