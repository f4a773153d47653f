import { Badge } from '@mantine/core';

interface MarkProps {
  readonly colour: 'red' | 'orange' | 'green' | 'teal' | 'blue' | 'violet' | 'gray';
  readonly children: string;
}

/** A word about a room, an event or a task. The border has the colour; the text would be too pale in it. */
export function Mark({ colour, children }: MarkProps) {
  return (
    <Badge
      size="sm"
      variant="outline"
      color={colour}
      tt="none"
      maw={240}
      style={{ flexShrink: 0 }}
      styles={{ label: { color: 'var(--mantine-color-text)' } }}
    >
      <bdi>{children}</bdi>
    </Badge>
  );
}
