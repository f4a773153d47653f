import { Badge } from '@mantine/core';

interface MarkProps {
  readonly colour: string;
  readonly children: string;
}

/** A word in a coloured border. The word has the colour of text: coloured ones lack contrast on rows that are pointed at. */
export function Mark({ colour, children }: MarkProps) {
  return (
    <Badge
      variant="outline"
      tt="none"
      color={colour}
      styles={{ label: { color: 'var(--mantine-color-text)' } }}
    >
      {children}
    </Badge>
  );
}
