/** A SQL pattern as a regular expression that means the same in PCRE and in JavaScript's Unicode mode. Pure. */

/** Only what both dialects let escape. */
const SYNTAX = /[\\^$.|?*+()[\]{}/]/

/** `$` would also match before a last line break. */
const END = '(?![\\s\\S])'

/** `%` any text, `_` one character, `\` takes the next one as it is. Anchored at both ends; case counts. */
export function likePattern(pattern: string): string {
  let source = '^'
  let escaped = false
  for (const character of pattern) {
    if (!escaped && character === '\\') {
      escaped = true
      continue
    }
    if (!escaped && character === '%') source += '[\\s\\S]*'
    else if (!escaped && character === '_') source += '[\\s\\S]'
    else source += SYNTAX.test(character) ? `\\${character}` : character
    escaped = false
  }
  return source + END
}
