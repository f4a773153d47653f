import type { RecordKind } from '@steward/records';
import type { Doc } from '@steward/store';
import type { Deps } from '../core/deps.ts';

/** Finds the documents whose accounts do not exist. */
export async function withoutOwners(
  { accounts }: Pick<Deps, 'accounts'>,
  { owner }: RecordKind,
  documents: readonly Doc[],
): Promise<ReadonlyMap<number, string>> {
  const problems = new Map<number, string>();
  if (owner === undefined || documents.length === 0) return problems;
  const ownerOf = (document: Doc) =>
    String((document as unknown as Readonly<Record<string, unknown>>)[owner] ?? document._id);
  const ids = [...new Set(documents.map(ownerOf))];
  const found = await accounts.find({ _id: { $in: ids } }, { projection: { _id: 1 } }).toArray();
  const known = new Set(found.map(({ _id }) => _id));
  for (const [index, document] of documents.entries()) {
    const userId = ownerOf(document);
    if (!known.has(userId)) problems.set(index, `there is no account ${userId}`);
  }
  return problems;
}
