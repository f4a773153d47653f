import { path } from '@steward/testing';
import type { Answer } from '@steward/topology/testing';
import type { Caller } from './caller.ts';
import type { DeletionOutcome, Message, Room, User } from './model.ts';
import type { Workload } from './workload.ts';

/** The events of one page. */
const PAGE = 500;

/** The number of comparisons, and the differences found. */
export interface Findings {
  /** How many things were compared. */
  checks: number;
  readonly faults: string[];
}

interface ListedEvent {
  readonly event_id: string;
  readonly type: string;
  readonly sender: string;
  readonly content: { readonly body?: string; readonly redacts?: string };
  readonly redacts?: string;
  readonly unsigned?: { readonly redacted_because?: unknown };
}

const adminPath = (below: string) => `/_service/admin${below}`;

/** Compares the model of a workload with what the API shows, once no work is pending. */
export async function checkWorkload(workload: Workload, caller: Caller): Promise<Findings> {
  const findings: Findings = { checks: 0, faults: [] };
  const check = new Check(workload, caller, findings);
  for (const { kind, status } of workload.model.orders) {
    const { body } = await check.get(status);
    check.that(body.status === 'complete', `a ${kind} is ${JSON.stringify(body)}`);
  }
  for (const user of workload.model.users) await check.user(user);
  for (const room of workload.model.rooms) {
    if (room.deletion) await check.deletion(room);
    if (room.deletion?.purge) await check.purgedRoom(room);
    else await check.room(room);
  }
  await check.watcher();
  return findings;
}

class Check {
  readonly #workload: Workload;
  readonly #caller: Caller;
  readonly #findings: Findings;
  readonly #users: ReadonlyMap<string, User>;

  constructor(workload: Workload, caller: Caller, findings: Findings) {
    this.#workload = workload;
    this.#caller = caller;
    this.#findings = findings;
    this.#users = new Map(workload.model.users.map((user) => [user.id, user]));
  }

  that(holds: boolean, fault: string): void {
    this.#findings.checks++;
    if (!holds) this.#findings.faults.push(`workload ${this.#workload.name}: ${fault}`);
  }

  get(at: string, token = this.#workload.adminToken): Promise<Answer> {
    return this.#caller.ask('GET', at, { token });
  }

  async user(user: User): Promise<void> {
    const { id, deactivated, erased } = user;
    const at = adminPath(path`/v2/users/${id}`);
    const { body } = await this.get(at);
    const flags = [Boolean(body.deactivated), Boolean(body.erased)];
    this.that(`${flags}` === `${[deactivated, erased]}`, `${id} is deactivated, erased: ${flags}`);
    this.that((body.displayname === null) === erased, `${id} is called ${body.displayname}`);
    const { devices } = (await this.get(`${at}/devices`)).body;
    this.that(devices.length === (deactivated ? 0 : 1), `${id} has ${devices.length} devices`);
    for (const token of user.tokens) {
      const { status } = await this.get('/_proto/client/v3/account/whoami', token);
      this.that(status === (deactivated ? 401 : 200), `a token of ${id} is answered with ${status}`);
    }
    await this.#places(user);
    if (deactivated) await this.#directory(user);
  }

  async #places({ id, deactivated }: User): Promise<void> {
    const { memberships } = (await this.get(adminPath(path`/v1/users/${id}/memberships`))).body;
    const gone = new Set(
      this.#workload.model.rooms.filter(({ deletion }) => deletion).map((room) => room.id),
    );
    for (const [roomId, membership] of Object.entries(memberships)) {
      // `checkInvitations` looks at invitations in the store: those decided after the deactivation stay.
      const present = membership === 'join' || membership === 'knock';
      this.that(!(present && deactivated), `${id} is deactivated: ${membership} in ${roomId}`);
      const ended = membership === 'leave' || membership === 'ban';
      this.that(ended || !gone.has(roomId), `${id} has ${membership} in ${roomId}, which was deleted`);
    }
  }

  async #directory({ id }: User): Promise<void> {
    const [token = ''] = this.#workload.watcher.user.tokens;
    const at = '/_proto/client/v3/user_directory/search';
    const { body } = await this.#caller.ask('POST', at, { token, body: { search_term: id.slice(1, -5) } });
    const found = body.results.some((each: { user_id: string }) => each.user_id === id);
    this.that(!found, `${id} is deactivated, and in the directory`);
  }

  async purgedRoom({ id, alias, messages, deletion }: Room): Promise<void> {
    this.that(
      (await this.get(adminPath(path`/v1/rooms/${id}`))).status === 404,
      `${id} was purged, and is there`,
    );
    for (const message of messages) await this.#isGone(message);
    const { status, body } = await this.get(`/_proto/client/v3${path`/directory/room/${alias}`}`);
    const moved = deletion?.newRoomUser !== undefined;
    this.that(
      status === (moved ? 200 : 404),
      `the alias of ${id}, which was purged, is answered with ${status}`,
    );
    this.that(body.room_id !== id, `${alias} stands for ${id}, which was purged`);
  }

  async #isGone({ id }: Message): Promise<void> {
    const { status } = await this.get(adminPath(path`/v1/fetch_event/${id}`));
    this.that(status === 404, `${id} was purged, and is answered with ${status}`);
  }

  async deletion(room: Room): Promise<void> {
    const { id, deletion } = room;
    if (!deletion) return;
    const { block, deleteId } = deletion;
    const { body } = await this.get(adminPath(path`/v1/rooms/${id}/block`));
    this.that(body.block === block, `${id} is blocked: ${body.block}`);
    if (deleteId !== undefined) {
      const { results } = (await this.get(adminPath(path`/v2/rooms/${id}/delete_status`))).body;
      deletion.outcome = results.find(
        (each: { delete_id: string }) => each.delete_id === deleteId,
      )?.shutdown_room;
      this.that(deletion.outcome !== undefined, `the deletion of ${id} is forgotten`);
    }
    if (deletion.outcome) await this.#outcome(room, deletion.outcome);
  }

  async #outcome(room: Room, outcome: DeletionOutcome): Promise<void> {
    const { id, alias, deletion, doubtful } = room;
    const { kicked_users: kicked, failed_to_kick_users: failed, new_room_id: newRoomId } = outcome;
    const processed = [...kicked, ...failed];
    const invited = deletion?.invited ?? new Set();
    const members = new Set([...(deletion?.members ?? []), ...invited]);
    this.that(new Set(processed).size === processed.length, `in ${id} a user was kicked twice: ${processed}`);
    for (const userId of members) {
      // A user who was deactivated before the room was emptied left through the deactivation.
      this.that(kicked.includes(userId) || doubtful.has(userId), `${userId} was not kicked from ${id}`);
    }
    for (const userId of processed) {
      this.that(members.has(userId) || doubtful.has(userId), `${userId} was kicked from ${id}`);
    }
    for (const userId of failed) this.that(doubtful.has(userId), `${userId} could not be kicked from ${id}`);
    const creator = deletion?.newRoomUser;
    const moved = creator === undefined ? [] : [alias];
    this.that(`${outcome.local_aliases}` === `${moved}`, `moved from ${id}: ${outcome.local_aliases}`);
    this.that((newRoomId === null) === (creator === undefined), `the room instead of ${id} is ${newRoomId}`);
    if (newRoomId === null || creator === undefined) return;
    const joined = kicked.filter((userId) => !invited.has(userId));
    const present = [...new Set([creator, ...joined])].filter((each) => !this.#users.get(each)?.deactivated);
    await this.#members(newRoomId, new Set(present));
    const events = await this.#events(newRoomId);
    const greetings = events.filter(({ type }) => type === 'm.room.message');
    this.that(greetings.length === 1, `${greetings.length} greetings in ${newRoomId}`);
    const found = await this.get(`/_proto/client/v3${path`/directory/room/${alias}`}`);
    this.that(found.body.room_id === newRoomId, `${alias} stands for ${found.body.room_id}`);
  }

  async #members(roomId: string, expected: ReadonlySet<string>): Promise<void> {
    const { members = [] } = (await this.get(adminPath(path`/v1/rooms/${roomId}/members`))).body;
    const all = new Set<string>([...members, ...expected]);
    for (const userId of all) {
      const should = expected.has(userId);
      this.that(members.includes(userId) === should, `${userId} is ${should ? 'not ' : ''}in ${roomId}`);
    }
    const { joined_members: counted } = (await this.get(adminPath(path`/v1/rooms/${roomId}`))).body;
    this.that(counted === expected.size, `${roomId} counts ${counted} members`);
  }

  async room(room: Room): Promise<void> {
    await this.#members(room.id, room.deletion ? new Set() : room.members);
    const events = await this.#events(room.id);
    const ids = new Map(events.map(({ event_id: id }, index) => [id, index]));
    this.that(ids.size === events.length, `${room.id} lists events twice`);
    const known = new Set(room.messages.map(({ id }) => id));
    for (const message of room.messages) {
      if (message.burst < room.purgedBelow) await this.#isGone(message);
      else this.that(ids.has(message.id), `${message.id} of ${room.id} is lost`);
    }
    this.#order(room, ids);
    this.#redactions(room, events);
    this.#unacknowledged(
      room,
      events.filter(({ type, event_id: id }) => type === 'm.room.message' && !known.has(id)),
    );
  }

  /** Later bursts are listed later, as are later messages of one sender. */
  #order({ id, messages }: Room, ids: ReadonlyMap<string, number>): void {
    const listed = messages.flatMap((message) => {
      const index = ids.get(message.id);
      return index === undefined ? [] : [{ ...message, index }];
    });
    for (const one of listed) {
      for (const other of listed) {
        if (one.burst >= other.burst) continue;
        if (one.index >= other.index) this.that(false, `${id} lists ${other.id} before ${one.id}`);
      }
    }
    for (const sender of new Set(listed.map((each) => each.sender))) {
      const own = listed.filter((each) => each.sender === sender).map(({ index }) => index);
      this.that(
        own.every((index, n) => n === 0 || index > (own[n - 1] ?? 0)),
        `${sender} is out of order in ${id}`,
      );
    }
  }

  #redactions(room: Room, events: readonly ListedEvent[]): void {
    const times = new Map<string, number>();
    for (const { type, redacts, content } of events) {
      const target = redacts ?? content.redacts;
      if (type === 'm.room.redaction' && target) times.set(target, (times.get(target) ?? 0) + 1);
    }
    const listed = new Map(events.map((event) => [event.event_id, event]));
    for (const { id, sender, redacted } of room.messages) {
      const event = listed.get(id);
      if (!event) continue;
      const done = event.unsigned?.redacted_because !== undefined;
      const stayed = room.members.has(sender) && !room.deletion;
      if (redacted && stayed) this.that(done, `${id} of ${room.id} is not redacted`);
      if (!redacted) this.that(!done, `${id} of ${room.id} is redacted`);
      const expected = done ? 1 : 0;
      this.that((times.get(id) ?? 0) === expected, `${id} of ${room.id} is redacted ${times.get(id)} times`);
    }
  }

  /** An unacknowledged message is listed at most as often as it was sent. */
  #unacknowledged({ id, unacknowledged }: Room, events: readonly ListedEvent[]): void {
    const senders = new Set(events.map(({ sender }) => sender));
    for (const sender of senders) {
      const there = events.filter((each) => each.sender === sender).length;
      this.that(
        there <= (unacknowledged.get(sender) ?? 0),
        `${sender} is said to have sent ${there} more in ${id}`,
      );
    }
  }

  /** The timeline of a room, oldest first. */
  async #events(roomId: string): Promise<readonly ListedEvent[]> {
    const events: ListedEvent[] = [];
    for (let from = ''; ; ) {
      const at = `${adminPath(path`/v1/rooms/${roomId}/messages`)}?dir=b&limit=${PAGE}${from}`;
      const { body } = await this.get(at);
      events.push(...body.chunk);
      if (body.end === undefined) return events.reverse();
      from = `&from=${encodeURIComponent(body.end)}`;
    }
  }

  /** Sync has returned every message that is visible to the watcher. */
  async watcher(): Promise<void> {
    const { user, sync } = this.#workload.watcher;
    await sync.sync(this.#caller);
    for (const room of this.#workload.model.rooms) {
      if (room.deletion || sync.gaps.has(room.id) || !room.members.has(user.id)) continue;
      const seen = sync.seen.get(room.id);
      for (const { id, burst } of room.messages) {
        if (burst >= room.purgedBelow)
          this.that(seen?.has(id) ?? false, `sync has not returned ${id} in ${room.id}`);
      }
    }
  }
}
