// What a program does with the published client library, in Node and in a browser alike. Returns what it saw.

/**
 * @param {typeof import('@steward/sdk')} sdk
 * @param {{ baseUrl: string, token: string, prefix: string }} options where the server is, the token of an administrator,
 *   and what the names of the accounts that it creates begin with
 */
export async function tellStory({ createClient, StewardError }, { baseUrl, token, prefix }) {
  /** @type {string[]} */
  const requests = [];
  const client = createClient({
    baseUrl,
    token: () => token,
    reason: 'Prüfung 100 %',
    middleware: [
      async (request, next) => {
        requests.push(`${request.operation} ${request.headers.get('authorization')}`);
        return next(request);
      },
    ],
  });
  const { user_id } = await client.me.get();
  const server = user_id.slice(user_id.indexOf(':'));
  for (const name of ['a', 'b', 'c']) {
    await client.users.put({ user_id: `@${prefix}${name}${server}`, displayname: 'Ünï 😀' });
  }
  const accounts = [];
  for await (const { name, displayname } of client.users.list({ limit: 2, name: prefix })) {
    accounts.push([name.slice(1, -server.length), displayname]);
  }

  const room = await client.request({ method: 'POST', path: '/_proto/client/v3/createRoom', json: {} });
  const { room_id } = await room.json();
  const { delete_id } = await client.rooms.beginDeletion({ room_id, purge: true });
  const task = await client.tasks.wait({ task_id: delete_id });

  const unknown = await client.users.get({ user_id: `@${prefix}unknown${server}` }).catch((error) => error);
  const reasons = new Set();
  for await (const { reason } of client.audit.list({ action: 'user.put_user', limit: 2 }))
    reasons.add(reason);
  const kinds = new Set();
  for await (const { kind } of (await client.audit.export()).lines()) kinds.add(kind);
  return {
    accounts,
    task: [task.kind, task.state],
    refusal: [
      unknown instanceof StewardError,
      unknown.status,
      unknown.errcode,
      typeof unknown.requestId === 'string',
    ],
    reasons: [...reasons],
    kinds: [...kinds],
    first: requests[0],
  };
}
