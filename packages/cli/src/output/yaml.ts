import { escapeInQuotes, isUnsafe } from './visible.ts';

/** No text is so long that it is written on several lines. */
const ONE_LINE = Number.MAX_SAFE_INTEGER;

/** Returns what writes values as YAML, safe for terminals. The library is loaded by the first call. */
export async function loadYaml(): Promise<(value: unknown) => string> {
  const { Document, Scalar, visit } = await import('yaml');
  return (value) => {
    const document = new Document(value, { aliasDuplicateObjects: false });
    visit(document, {
      Scalar(_, scalar) {
        if (typeof scalar.value === 'string' && isUnsafe(scalar.value)) scalar.type = Scalar.QUOTE_DOUBLE;
      },
    });
    return escapeInQuotes(
      document.toString({ lineWidth: 0, indentSeq: false, doubleQuotedMinMultiLineLength: ONE_LINE }),
    );
  };
}
