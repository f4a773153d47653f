import { path, sendHttp } from '@steward/testing';
import { createKeepAliveClient, type KeepAliveClient, registerAccount } from '@steward/topology/testing';

const ADMIN = '/_service/admin';
const CLIENT = '/_proto/client/v3';

/** The bytes of each upload begin with its number; the rest fills several pages of the disk. */
const UPLOAD_BYTES = 10_000;

/** A change that a client requested. */
export interface Change {
  /** What the server says the change has made: an event, an account, a medium. */
  readonly id: string;
  readonly sentTs: number;
  readonly answeredTs: number;
}

/** An uploaded medium, and its deletion. */
export interface Upload extends Change {
  readonly bytes: Buffer;
  deletion?: { readonly sentTs: number; answeredTs?: number };
}

/** What the clients of a load were told. */
export interface Load {
  readonly room: string;
  readonly messages: Change[];
  /** Accounts that joined the room and were then deactivated. */
  readonly deactivations: Change[];
  readonly uploads: Upload[];
  /** Resolves after this many further changes of each kind. */
  more(count: number): Promise<void>;
  /** Ends the clients. */
  stop(): Promise<void>;
}

/** Lets clients of different kinds change a server, one change after the other each, until `stop`. */
export async function startLoad(url: string, adminToken: string): Promise<Load> {
  const owner = await registerAccount(url, 'owner');
  const clients: KeepAliveClient[] = [];
  const connect = () => {
    const client = createKeepAliveClient([url]);
    clients.push(client);
    return async (verb: string, at: string, token: string, body?: unknown) => {
      const answer = await client.send(verb, at, { token, body });
      if (answer.status !== 200) throw new Error(`${verb} ${at}: ${answer.text}`);
      return answer.body;
    };
  };
  const { room_id: room } = await connect()('POST', `${CLIENT}/createRoom`, owner.token, {
    preset: 'public_chat',
  });
  const messages: Change[] = [];
  const deactivations: Change[] = [];
  const uploads: Upload[] = [];
  let running = true;
  const timed = async (change: () => Promise<string>): Promise<Change> => {
    const sentTs = Date.now();
    const id = await change();
    return { id, sentTs, answeredTs: Date.now() };
  };
  const repeat = async (step: (n: number) => Promise<unknown>) => {
    for (let n = 0; running; n++) await step(n);
  };
  const sendMessages = async (writer: number) => {
    const send = connect();
    await repeat(async (n) => {
      const at = `${CLIENT}${path`/rooms/${room}/send/m.room.message/${`${writer}-${n}`}`}`;
      const content = { msgtype: 'm.text', body: `${n}` };
      messages.push(await timed(async () => (await send('PUT', at, owner.token, content)).event_id));
    });
  };
  const deactivateMembers = async () => {
    const send = connect();
    await repeat(async (n) => {
      const member = await registerAccount(url, `member-${n}`);
      await send('POST', `${CLIENT}${path`/join/${room}`}`, member.token, {});
      deactivations.push(
        await timed(async () => {
          await send('POST', ADMIN + path`/v1/deactivate/${member.userId}`, adminToken, {});
          return member.userId;
        }),
      );
    });
  };
  const uploadAndDelete = async () => {
    const send = connect();
    await repeat(async (n) => {
      const bytes = Buffer.alloc(UPLOAD_BYTES, `${n} `);
      const upload = await timed(async () => {
        const request = { token: owner.token, rawBody: bytes };
        const { body } = await sendHttp<{ content_uri: string }>(
          url,
          'POST',
          '/_proto/media/v3/upload',
          request,
        );
        return body.content_uri.slice('mxc://'.length);
      });
      uploads.push({ ...upload, bytes });
      // Every second one is deleted, some uploads later.
      const old = n % 2 === 0 ? uploads.at(-4) : undefined;
      if (!old) return;
      old.deletion = { sentTs: Date.now() };
      await send('DELETE', `${ADMIN}/v1/media/${old.id}`, adminToken);
      old.deletion.answeredTs = Date.now();
    });
  };
  const all = Promise.all([sendMessages(0), sendMessages(1), deactivateMembers(), uploadAndDelete()]);
  const kinds = [messages, deactivations, uploads];
  return {
    room,
    messages,
    deactivations,
    uploads,
    async more(count) {
      const goals = kinds.map(({ length }) => length + count);
      const reached = async () => {
        while (kinds.some(({ length }, i) => length < (goals[i] ?? 0))) {
          await new Promise((resolve) => setTimeout(resolve, POLL_MS));
        }
      };
      // A failed client ends the wait.
      await Promise.race([reached(), all]);
    },
    async stop() {
      running = false;
      await all;
      for (const client of clients) client.close();
    },
  };
}

const POLL_MS = 20;
