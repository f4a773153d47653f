import { NOTIFY_PATH, type Notification, type PushAnswer, startPushGateway } from '@steward/testing';

/** The push gateway of a run, which passes notifications on to the phones that it knows. */
export interface Gateway {
  /** The address that pushers name. */
  readonly url: string;
  /** Passes what is for a push key on to a phone, which decides the answer. */
  connect(pushkey: string, phone: (notification: Notification) => PushAnswer): void;
  close(): Promise<void>;
}

/** Starts a gateway. */
export async function openGateway(): Promise<Gateway> {
  const phones = new Map<string, (notification: Notification) => PushAnswer>();
  const { origin, close } = await startPushGateway((notification) => {
    const phone = phones.get(notification.devices[0]?.pushkey ?? '');
    return phone?.(notification) ?? { status: 404 };
  });
  return {
    url: new URL(NOTIFY_PATH, origin).href,
    connect(pushkey, phone) {
      phones.set(pushkey, phone);
    },
    close,
  };
}
