/** A text as one word of a command, for shells of Unix and of Windows alike; as it is where nothing in it is special. */
export function quoteForShell(text: string): string {
  return /^[\w./-]+$/.test(text) ? text : `"${text.replaceAll(/["$`\\]/g, '\\$&')}"`
}
