import { isObject } from '@steward/kernel';

/** The tags in the content of `m.tag`, in which clients may have stored anything. */
export function tagsIn(content: string | undefined): Readonly<Record<string, unknown>> {
  const { tags }: { readonly tags?: unknown } = JSON.parse(content ?? '{}');
  return isObject(tags) ? { ...tags } : {};
}
