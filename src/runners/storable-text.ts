/** A high surrogate without its low one, or the other way round. */
const loneSurrogate = /[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/g

/** Replaces what Postgres cannot store in a text: NUL and lone surrogates. */
export function toStorableText(text: string): string {
  return text.replaceAll('\0', '').replaceAll(loneSurrogate, '\uFFFD')
}
