import type { MongoClient } from 'mongodb';

/** Whether a server is a router (`mongos`) of a sharded cluster. */
export async function isRouter(client: MongoClient): Promise<boolean> {
  const { msg } = await client.db('admin').command({ hello: 1 });
  return msg === 'isdbgrid';
}
