/** Where a text is not valid JSON, and why. */
export interface JsonFault {
  readonly at: number
  readonly what: string
  /** It is valid JSON, but one value would change when it is stored. */
  readonly isValue?: boolean
}

const mostLevels = 200

/** Control characters must be escaped in JSON. \p{Cc} also includes DEL and others, which need not be. */
const string = /"(?:[^"\\\p{Cc}]|[\x7f-\x9f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/uy
const number = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y
const word = /true|false|null/y
const space = /[ \t\n\r]*/y

/**
 * The first place where a text is not JSON, nests too deeply, or has a number that would lose digits. V8 reports the
 * place of some faults only, and loses digits silently. If the text goes to Postgres unchanged (`keepsDigits`), numbers
 * are fine.
 */
export function findJsonFault(text: string, { keepsDigits = false } = {}): JsonFault | undefined {
  return new Walk(text, keepsDigits).fault()
}

/**
 * Describes why a text is not JSON, by line and column. V8 would quote the surrounding text, which may hold a password.
 */
export function jsonFaultInWords(text: string): string {
  const fault = findJsonFault(text, { keepsDigits: true })
  if (fault === undefined) return 'it cannot be read'
  const before = text.slice(0, fault.at).split('\n')
  return `${fault.what} at line ${before.length}, column ${(before.at(-1) ?? '').length + 1}`
}

type Expected = 'value' | 'value or end' | 'key' | 'key or end' | 'comma or end' | 'nothing'

/** Walks through the text with a stack of its own, so that no nesting can overflow the call stack. */
class Walk {
  readonly #text: string
  readonly #keepsDigits: boolean
  readonly #open: ('{' | '[')[] = []
  #at = 0
  #expected: Expected = 'value'

  constructor(text: string, keepsDigits: boolean) {
    this.#text = text
    this.#keepsDigits = keepsDigits
  }

  fault(): JsonFault | undefined {
    for (;;) {
      this.#skip(space)
      if (this.#at >= this.#text.length) {
        return this.#expected === 'nothing' ? undefined : this.#here('the text ends too early')
      }
      const fault = this.#step(this.#text.charAt(this.#at))
      if (fault !== undefined) return fault
    }
  }

  #step(char: string): JsonFault | undefined {
    switch (this.#expected) {
      case 'nothing':
        return this.#here('there is more than one value')
      case 'comma or end':
        return this.#commaOrEnd(char)
      case 'key or end':
      case 'key':
        return this.#keyOrEnd(char)
      case 'value or end':
      case 'value':
        return this.#valueOrEnd(char)
    }
  }

  #commaOrEnd(char: string): JsonFault | undefined {
    const isObject = this.#open.at(-1) === '{'
    if (char === ',') {
      this.#at += 1
      this.#expected = isObject ? 'key' : 'value'
      return undefined
    }
    return char === (isObject ? '}' : ']') ? this.#close() : this.#unexpected(char)
  }

  #keyOrEnd(char: string): JsonFault | undefined {
    if (char === '}' && this.#expected === 'key or end') return this.#close()
    const from = this.#at
    if (!this.#skip(string)) return this.#unexpected(char, 'a name in double quotes')
    const fault = this.#unstorable(from)
    if (fault !== undefined) return fault
    this.#skip(space)
    if (this.#text.charAt(this.#at) !== ':') return this.#here('a colon is missing')
    this.#at += 1
    this.#expected = 'value'
    return undefined
  }

  #valueOrEnd(char: string): JsonFault | undefined {
    if (char === ']' && this.#expected === 'value or end') return this.#close()
    if (char === '{' || char === '[') return this.#enter(char)
    const from = this.#at
    if (this.#skip(number)) {
      if (!this.#keepsDigits && isChanged(this.#text.slice(from, this.#at))) {
        return {
          at: from,
          what: 'a number too large to be kept exactly; send it as a string',
          isValue: true,
        }
      }
    } else if (this.#skip(string)) {
      const fault = this.#unstorable(from)
      if (fault !== undefined) return fault
    } else if (!this.#skip(word)) {
      return this.#unexpected(char)
    }
    this.#expected = this.#afterValue()
    return undefined
  }

  /** Whether Postgres cannot store the string just passed. Only escapes can cause that. */
  #unstorable(from: number): JsonFault | undefined {
    const literal = this.#text.slice(from, this.#at)
    if (!literal.includes('\\u') || !/\0|\p{Surrogate}/u.test(JSON.parse(literal))) return undefined
    return { at: from, what: 'a NUL or half a character (a lone surrogate)', isValue: true }
  }

  #enter(char: '{' | '['): JsonFault | undefined {
    if (this.#open.length === mostLevels) {
      return { at: this.#at, what: `more than ${mostLevels} levels`, isValue: true }
    }
    this.#open.push(char)
    this.#at += 1
    this.#expected = char === '{' ? 'key or end' : 'value or end'
    return undefined
  }

  #close(): undefined {
    this.#open.pop()
    this.#at += 1
    this.#expected = this.#afterValue()
  }

  #afterValue(): Expected {
    return this.#open.length === 0 ? 'nothing' : 'comma or end'
  }

  #skip(pattern: RegExp): boolean {
    pattern.lastIndex = this.#at
    if (!pattern.test(this.#text)) return false
    this.#at = pattern.lastIndex
    return true
  }

  #unexpected(char: string, instead?: string): JsonFault {
    if (char === '"') return this.#here('a string that does not end or has a wrong escape')
    const found = `unexpected ${JSON.stringify(char)}`
    return this.#here(instead === undefined ? found : `${found} instead of ${instead}`)
  }

  #here(what: string): JsonFault {
    return { at: this.#at, what }
  }
}

/** Whole numbers beyond 2^53 lose digits, and very large ones become infinite. */
function isChanged(literal: string): boolean {
  if (literal.length < 16 && !/[eE]/.test(literal)) return false
  const value = Number(literal)
  if (!Number.isFinite(value)) return true
  return /^-?\d+$/.test(literal) && !Number.isSafeInteger(value)
}
