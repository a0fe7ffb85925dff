/**
 * The pattern of `$like` over a text: `%` is any text, `_` one code point, `\`
 * takes the next character as it is. Pure; its time is bounded by the product of the lengths.
 */

/** A character as it is, one of any kind, or any number of any kind. */
type Token = { readonly character: string } | 'one' | 'any'

/** @param pattern that does not end in a lone escape */
export function likeMatcher(pattern: string): (text: string) => boolean {
  const tokens = readPattern(pattern)
  return (text) => matchTokens(tokens, Array.from(text))
}

function readPattern(pattern: string): readonly Token[] {
  const characters = Array.from(pattern)
  const tokens: Token[] = []
  for (let index = 0; index < characters.length; index += 1) {
    const character = characters[index] ?? ''
    if (character === '%') tokens.push('any')
    else if (character === '_') tokens.push('one')
    else if (character === '\\') {
      index += 1
      tokens.push({ character: characters[index] ?? '' })
    } else tokens.push({ character })
  }
  return tokens
}

/** Greedy, and back to the last `%` only: an earlier one could win nothing that this one cannot. */
function matchTokens(tokens: readonly Token[], text: readonly string[]): boolean {
  let at = 0
  let token = 0
  let lastAny = -1
  let resumeAt = 0
  while (at < text.length) {
    const wanted = tokens[token]
    if (wanted === 'any') {
      lastAny = token
      resumeAt = at
      token += 1
    } else if (wanted === 'one' || (wanted !== undefined && wanted.character === text[at])) {
      at += 1
      token += 1
    } else if (lastAny >= 0) {
      resumeAt += 1
      at = resumeAt
      token = lastAny + 1
    } else return false
  }
  return tokens.slice(token).every((rest) => rest === 'any')
}
