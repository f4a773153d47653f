/** Characters without a width that control how a text is written or broken: marks and isolates of direction, spaces, soft hyphens. */
const INVISIBLE = /[\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff]/g;
/** Joiners that join nothing. In names of many scripts and in emoji they stand between other characters than these. */
const JOINERS = /(?<=^|[\0-\x7f])[\u200c\u200d]+|[\u200c\u200d]+(?=[\0-\x7f]|$)/g;

/** Removes what is not seen of a text, and comes with texts that were copied elsewhere. */
export function withoutInvisible(text: string): string {
  return text.replace(INVISIBLE, '').replace(JOINERS, '');
}

/** Returns what was meant with an id, a search or a confirmation that was typed or pasted. Texts that others read stay as they are. */
export function cleanText(text: string): string {
  return withoutInvisible(text).trim();
}
