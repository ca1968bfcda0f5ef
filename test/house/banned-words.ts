/**
 * The folders and files that words.test.ts reads. Add a line when the texts of yours are free of banned words; a folder
 * counts with everything below it. Keep the lines in order of the alphabet.
 */
export const checkedPlaces: readonly string[] = [
  '.github',
  'AGENTS.md',
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  'README.md',
  'SECURITY.md',
  'bench',
  'deploy',
  'docs',
  'examples',
  'site',
  'sql',
  'src',
  'test',
]

/** Texts that may stay as they are, each with its reason. */
export const allowedTexts: readonly string[] = [
  // A value of the JSON field `by`, and an account of Linux.
  `'nobody'`,
  '"nobody"',
  '`nobody`',
  'account nobody',
  // Names in the SQL that mutants change.
  'told.claim',
  'told.n as open',
]

/** Words that make the reader guess who or what is meant, as regular expressions, and what to write instead. */
export const bannedWords: readonly BannedWord[] = [
  { words: /who(so)?ever|whomever/, write: 'the actor: a worker, the caller, an operator' },
  { words: /(no|some|any)body|someone/, write: 'the actor: a worker, the caller, another session' },
  { words: /told/, write: 'reported, notified, configured; "unless told" is "by default"' },
  { words: /mend(s|ed|ing)?/, write: 'fix, repair' },
  {
    words: /by (any|every|whatever|whichever) door/,
    write: 'by SQL, client, HTTP or command line',
  },
  { words: /cannot be meant/, write: 'is invalid' },
  { words: /hung up/, write: 'disconnected, closed the connection' },
  { words: /tokens? (that )?(does|do|did) not hold/, write: 'invalid, expired or revoked token' },
  // "There is no worker" is plain; "this is no worker" is not.
  { words: /(?<!\bthere )(is|are|was|were) no (?!longer|more|less|fewer)\w+/, write: 'is not a …' },
]

/** Matches whole words only, in any case; a space in it also matches a line break, with the mark of a comment. */
export interface BannedWord {
  readonly words: RegExp
  readonly write: string
}
