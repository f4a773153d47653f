import { createClient, type Transport } from '@connectrpc/connect';
import { ReportOrderService as MediaOrderService } from '@steward/proto/steward/media/v1/report_orders_pb.ts';
import {
  type RoomOrder,
  ReportOrderService as RoomOrderService,
} from '@steward/proto/steward/room/v1/report_orders_pb.ts';
import {
  type AccountOrder,
  ReportOrderService as AccountOrderService,
} from '@steward/proto/steward/user/v1/report_orders_pb.ts';
import { callPeer, type Rights } from '@steward/rpc';

/** Who gave an order, and how it differs from others. */
export interface GivenAction {
  readonly orderId: string;
  /** The name of who gave it: a user id, `token:<id>` or `client:<name>`. */
  readonly requestedBy: string;
  /** The scopes with which the order is carried out. */
  readonly rights: Rights;
  /** Whether to check only that it could be carried out now. */
  readonly checkOnly: boolean;
}

/** The actions on an account. */
export interface GivenAccountAction extends GivenAction {
  readonly userId: string;
  readonly order: AccountOrder;
}

/** The actions in rooms. */
export interface GivenRoomAction extends GivenAction {
  readonly order: RoomOrder;
  readonly reason?: string | undefined;
  readonly roomId?: string | undefined;
  readonly userId?: string | undefined;
  readonly eventId?: string | undefined;
  readonly deletion?: {
    readonly block?: boolean | undefined;
    readonly purge?: boolean | undefined;
    readonly forcePurge?: boolean | undefined;
    readonly newRoomUserId?: string | undefined;
    readonly roomName?: string | undefined;
    readonly message?: string | undefined;
  };
}

/** Which media are quarantined: those of content URIs, or of a user. */
export interface GivenMediaAction extends Omit<GivenAction, 'checkOnly'> {
  readonly uris?: readonly string[] | undefined;
  readonly userId?: string | undefined;
}

/** The calls with which orders of resolutions are carried out, each once by the id of its order. */
export interface Actions {
  /** @throws the refusal of the account's service */
  account(order: GivenAccountAction): Promise<void>;
  /**
   * @returns the id of the task that carries it out, and of the event that was sent; empty for none
   * @throws the refusal of the room
   */
  room(order: GivenRoomAction): Promise<{ readonly taskId: string; readonly eventId: string }>;
  /**
   * @returns the ids of the tasks that carry it out
   * @throws the refusal of the media service
   */
  media(order: GivenMediaAction): Promise<{ readonly taskIds: readonly string[] }>;
  /** The content URIs that an event shows, or showed before its redaction; empty for an unknown event. */
  mediaOf(roomId: string, eventId: string): Promise<readonly string[]>;
}

/** The transports to the services that carry orders out. */
export interface ActionTransports {
  readonly user: Transport;
  readonly room: Transport;
  readonly media: Transport;
}

/** Calls the services through transports. When one cannot be reached, callers are refused as unavailable. */
export function actionsThrough({ user, room, media }: ActionTransports): Actions {
  const accounts = createClient(AccountOrderService, user);
  const rooms = createClient(RoomOrderService, room);
  const ofMedia = createClient(MediaOrderService, media);
  return {
    async account({ rights, ...order }) {
      await callPeer(() => accounts.carryOutOrder({ ...order, ...scopesOf(rights) }));
    },
    room: ({ rights, ...order }) =>
      callPeer(() => rooms.carryOutOrder(defined({ ...order, ...scopesOf(rights) }))),
    media: ({ rights, uris = [], ...order }) =>
      callPeer(() => ofMedia.carryOutOrder(defined({ ...order, ...scopesOf(rights), uris: [...uris] }))),
    mediaOf: async (roomId, eventId) =>
      (await callPeer(() => rooms.findEventMedia({ roomId, eventId }))).uris,
  };
}

/** How an order states rights: all scopes of a server administrator are unset. */
function scopesOf({ admin, scopes = [] }: Rights) {
  return admin ? {} : { requesterScopes: { scopes } };
}

/** The object without the keys whose value is undefined. */
function defined<T extends object>(object: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined)) as never;
}
