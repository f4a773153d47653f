import type { DeviceMessage } from '../model/device-message.ts';

/** A message as clients receive it: JSON text. */
export function writeMessage({ sender, type, content }: DeviceMessage): string {
  return `{"sender":${JSON.stringify(sender)},"type":${JSON.stringify(type)},"content":${content}}`;
}
