import { isObject } from '@steward/kernel';

/** The tags in what is kept for a room; clients may have set anything in their place. */
export function tagsIn(content: string | undefined): Readonly<Record<string, unknown>> {
  const { tags }: { readonly tags?: unknown } = JSON.parse(content ?? '{}');
  return isObject(tags) ? { ...tags } : {};
}
