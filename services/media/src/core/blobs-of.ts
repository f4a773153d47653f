import type { Media } from './model/media.ts';

/** Bytes that a document names. */
export interface NamedBlob {
  /** Its key, see `BlobStore`. */
  readonly key: string;
  /** Of the bytes, in hexadecimal; `undefined` if the document does not say. */
  readonly sha256: string | undefined;
}

/** The bytes that a medium needs: its own and those of its thumbnails; none while it is being deleted. */
export function blobsOf({ blob, sha256, state, thumbnails }: Media): readonly NamedBlob[] {
  if (blob === null || state === 'deleting') return [];
  return [
    { key: blob, sha256: sha256 ?? undefined },
    ...thumbnails.map(({ key }) => ({ key, sha256: undefined })),
  ];
}
