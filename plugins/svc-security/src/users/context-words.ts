/**
 * Words that others would try first against an account: the name of its user, of the application, and those of the option
 * (NIST SP 800-63B-4, 3.1.1.2). A password that contains one is refused, however it is spelt: case, dots and blanks do not
 * count. Words under four characters are too frequent in good passwords, and are left out. Pure.
 */
const MIN_CHARACTERS = 4

/** Lists of words, folded once. */
export type ContextWords = readonly string[]

export function contextWords(words: readonly string[]): ContextWords {
  return [...new Set(words.map(folded))].filter((word) => [...word].length >= MIN_CHARACTERS)
}

/** @returns whose word a password contains: of its user, or of the application; `null` where it contains none */
export function wordIn(
  password: string,
  identifier: string | null,
  ofApplication: ContextWords
): 'user' | 'application' | null {
  const text = folded(password)
  const isIn = (word: string) => text.includes(word)
  if (identifier !== null && contextWords(wordsOfName(identifier)).some(isIn)) return 'user'
  return ofApplication.some(isIn) ? 'application' : null
}

/** The whole name; of an address, what is before the @; and each part of that. */
function wordsOfName(identifier: string): string[] {
  const at = identifier.lastIndexOf('@')
  const local = at > 0 ? identifier.slice(0, at) : identifier
  return [identifier, local, ...local.split(/[^\p{L}\p{N}]+/u)]
}

function folded(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}]/gu, '')
}
