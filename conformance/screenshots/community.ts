import { type Client, createClient, StewardError } from '@steward/sdk';
import { registrationMac } from '@steward/testing';
import { PLACES, type Place, SENTENCES } from './conversation.ts';
import { drawPicture } from './draw-picture.ts';
import { type Member, signIn } from './member.ts';
import { ADMINISTRATOR, APPLICANTS, BOTS, PASSWORD, PEOPLE, type Person } from './people.ts';
import { createChoice } from './seeded-choice.ts';
import { SERVER_NAME, SHARED_SECRET } from './start-server.ts';

/** Every how many messages a picture is shown. */
const MESSAGES_PER_PICTURE = 8;
const FORBIDDEN = 403;

/** The people of a server, in the rooms of it. */
export interface Community {
  /** The administrative API as the administrator has it. */
  readonly admin: Client;
  /** Returns a person who has joined. */
  readonly member: (person: Pick<Person, 'name'>) => Member;
  /** Returns the id of a room by its alias. */
  readonly room: (alias: string) => string;
  /** Creates the accounts of that day, who join their rooms. */
  readonly welcome: (daysAgo: number) => Promise<void>;
  /** Says as much in the rooms. */
  readonly chat: (messages: number) => Promise<void>;
  /** Signs people in, some of whom mistype their passwords at first. */
  readonly signIn: (times: number) => Promise<void>;
  /** Registers those who wait for approval. */
  readonly apply: () => Promise<void>;
}

/** Registers the administrator of an empty server, who opens the rooms. */
export async function foundCommunity(url: string): Promise<Community> {
  const choice = createChoice(1);
  const members = new Map<string, Member>();
  const rooms = new Map<string, string>();
  /** The members of each room who write in it, those more often who write more. */
  const writers = new Map<string, Member[]>();
  let pictures = 0;

  await registerAdministrator(url);
  const { client: admin } = await enter(ADMINISTRATOR);
  for (const { alias, name, topic, isPublic, encrypted = false } of PLACES) {
    const id = await member(ADMINISTRATOR).createRoom({
      room_alias_name: alias,
      name,
      ...(topic === '' ? {} : { topic }),
      ...(isPublic ? { preset: 'public_chat', visibility: 'public' } : { preset: 'private_chat' }),
      initial_state: encrypted
        ? [{ type: 'm.room.encryption', state_key: '', content: { algorithm: 'm.megolm.v1.aes-sha2' } }]
        : [],
    });
    rooms.set(alias, id);
    writers.set(id, [member(ADMINISTRATOR)]);
  }

  function member({ name }: Pick<Person, 'name'>): Member {
    const found = members.get(name);
    if (found === undefined) throw new Error(`${name} has not joined yet`);
    return found;
  }

  async function enter({ name }: Pick<Person, 'name'>): Promise<Member> {
    const entered = await signIn(url, name, PASSWORD);
    members.set(name, entered);
    return entered;
  }

  async function settleIn(person: Person): Promise<void> {
    const { name, displayName: displayname } = person;
    await admin.users.put({ user_id: idOf(name), displayname, password: PASSWORD });
    const entered = await enter(person);
    // The moderator, who comes first after the administrator, is in every room.
    const number = PEOPLE.indexOf(person) - 1;
    const places = PLACES.filter(({ every }) => number % every === 0);
    await Promise.all(places.map((place) => enterRoom(entered, place, person)));
  }

  async function enterRoom(
    entered: Member,
    { alias, isPublic }: Place,
    { writes = 1 }: Person,
  ): Promise<void> {
    const id = room(alias);
    if (!isPublic) await member(ADMINISTRATOR).invite(id, entered.userId);
    await entered.join(id);
    writers.get(id)?.push(...Array.from({ length: writes }, () => entered));
  }

  function room(alias: string): string {
    const id = rooms.get(alias);
    if (id === undefined) throw new Error(`There is no room ${alias}`);
    return id;
  }

  async function showPicture(writer: Member, id: string): Promise<void> {
    const name = `harbour-${++pictures}.png`;
    await writer.show(id, name, await writer.upload(name, new Uint8Array(await drawPicture(pictures))));
  }

  return {
    admin,
    member,
    room,
    async welcome(daysAgo) {
      const joining = (people: readonly Person[]) => people.filter(({ joined }) => joined === daysAgo);
      for (const { name, displayName } of joining(BOTS))
        await admin.users.put({ user_id: idOf(name), displayname: displayName, user_type: 'bot' });
      for (const person of joining(PEOPLE)) if (person !== ADMINISTRATOR) await settleIn(person);
    },
    async chat(messages) {
      // At once, because each of them waits for the disk.
      await Promise.all(
        Array.from({ length: messages }, () => {
          const id = room(choice.of(PLACES.slice(0, 1 + choice.below(PLACES.length))).alias);
          return choice.of(writers.get(id) ?? []).say(id, choice.of(SENTENCES));
        }),
      );
      const photos = room('photos');
      for (let shown = MESSAGES_PER_PICTURE; shown <= messages; shown += MESSAGES_PER_PICTURE)
        await showPicture(choice.of(writers.get(photos) ?? []), photos);
    },
    async signIn(times) {
      for (let signedIn = 0; signedIn < times; signedIn++) {
        const { name } = choice.of(PEOPLE.filter((each) => members.has(each.name) && each.writes !== 0));
        if (choice.below(4) === 0) await expectRefusal(signIn(url, name, `${PASSWORD}!`));
        await signIn(url, name, PASSWORD);
      }
    },
    async apply() {
      for (const username of APPLICANTS) await register(url, username);
    },
  };
}

/** The id of a user of the server. */
export function idOf(name: string): string {
  return `@${name}:${SERVER_NAME}`;
}

async function registerAdministrator(url: string): Promise<void> {
  const { name: username, displayName: displayname } = ADMINISTRATOR;
  const { registration } = createClient({ baseUrl: url });
  const { nonce } = await registration.getNonce();
  const account = { username, password: PASSWORD, admin: true };
  const mac = registrationMac(SHARED_SECRET, { ...account, nonce });
  await registration.registerWithSecret({ ...account, nonce, displayname, mac, inhibit_login: true });
}

/** Registers an account, which must wait for approval: so the answer is a refusal. */
async function register(url: string, username: string): Promise<void> {
  const request = {
    method: 'POST',
    path: '/_proto/client/v3/register',
    json: { username, password: PASSWORD, auth: { type: 'm.login.dummy' } },
  };
  await expectRefusal(createClient({ baseUrl: url }).request(request));
}

async function expectRefusal(request: Promise<unknown>): Promise<void> {
  try {
    await request;
  } catch (error) {
    if (!(error instanceof StewardError) || error.status !== FORBIDDEN) throw error;
  }
}
