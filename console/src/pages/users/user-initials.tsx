import { Center } from '@mantine/core';

interface UserInitialsProps {
  readonly id: string;
  readonly displayname: string | null;
  /** In pixels; 28 when unset. */
  readonly size?: number;
}

const WORDS = /[\s._-]+/u;
const letters = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** Two letters of a user's name in a circle. Avatars are not shown: what users upload is not looked at by accident. */
export function UserInitials({ id, displayname, size = 28 }: UserInitialsProps) {
  return (
    <Center
      aria-hidden
      w={size}
      h={size}
      fz={size * 0.42}
      fw={600}
      c="var(--mantine-color-text)"
      bg="var(--mantine-color-default-hover)"
      bd="1px solid var(--mantine-color-default-border)"
      style={ROUND}
    >
      {initialsOf(displayname?.trim() || id.slice(1))}
    </Center>
  );
}

const ROUND = { borderRadius: '50%', flexShrink: 0, overflow: 'hidden', lineHeight: 1 } as const;

function initialsOf(name: string): string {
  return name
    .split(WORDS)
    .filter((word) => word !== '')
    .slice(0, 2)
    .map((word) => letters.segment(word)[Symbol.iterator]().next().value?.segment ?? '')
    .join('')
    .toLocaleUpperCase();
}
