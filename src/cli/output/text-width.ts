/** Letters that take two places in a terminal: most of East Asia's, and pictures. */
const wide =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}/u
/** What stands above or below the letter before it. */
const none = /\p{M}|\u200b|\u200d|\ufe0f/u

/** How many places a text takes in a terminal. */
export function textWidth(text: string): number {
  let width = 0
  for (const letter of text) width += letterWidth(letter)
  return width
}

/** As much of a text as fits, with a mark where it was cut. */
export function cutText(text: string, to: number): string {
  if (textWidth(text) <= to) return text
  let cut = ''
  let width = 1
  for (const letter of text) {
    width += letterWidth(letter)
    if (width > to) break
    cut += letter
  }
  return `${cut}…`
}

function letterWidth(letter: string): number {
  if (letter < '\u0300') return 1
  if (none.test(letter)) return 0
  return wide.test(letter) ? 2 : 1
}
