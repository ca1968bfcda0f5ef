/** From the beginning of a URI to the next blank: read once, however many more begin in it. */
const uri = /\bpostgres[\w+]{0,20}:\/\/\S*/gi
const userOfUri = /\bpostgres[\w+]{0,20}:\/\/[^\s:@]*(?=:)/i

/** Passwords as they stand in connection strings and settings; what is around them stays readable. */
const secrets: readonly (readonly [RegExp, string])[] = [
  [/([?&](?:password|sslpassword)=)[^\s&"]+/gi, '$1***'],
  // Not again what the line before has hidden, and what follows it in a URI.
  [
    /\b(password|passwd|pwd|sslpassword)(\s*=\s*)('(?:[^'\\]|\\.)*'|(?!\*\*\*)(?:\\.|[^\s"\\])+)/gi,
    '$1$2***',
  ],
]

/** Text that may be shown: a password that got into it is taken out. */
export function redact(text: string): string {
  if (!/:\/\/|pass|pwd/i.test(text)) return text
  const withoutUris = text.replace(uri, hidePassword)
  return secrets.reduce((shown, [secret, instead]) => shown.replace(secret, instead), withoutUris)
}

/** Hides what stands between the user and the last @. */
function hidePassword(text: string): string {
  const user = userOfUri.exec(text)
  const end = text.lastIndexOf('@')
  const from = user === null ? text.length : user.index + user[0].length
  return end < from ? text : `${text.slice(0, from)}:***${text.slice(end)}`
}

/** Whether the value of a connection's option is for nobody to see. */
export function isSecret(option: string): boolean {
  return /passw|pwd|secret|_key$/i.test(option)
}
