/**
 * A SQL pattern as a regular expression that means the same in PCRE and in
 * JavaScript's Unicode mode, and that takes no longer for a hostile pattern: what
 * stands between two `%` is taken where it comes first, and never tried elsewhere. Pure.
 */

/** Only what both dialects let escape. */
const SYNTAX = /[\\^$.|?*+()[\]{}/]/

const ANY = '[\\s\\S]'

/** `$` would also match before a last line break. */
const END = `(?!${ANY})`

/** `%` any text, `_` one character, `\` takes the next one as it is. Anchored at both ends; case counts. */
export function likePattern(pattern: string): string {
  const [first = '', ...others] = segments(pattern)
  const last = others.pop()
  if (last === undefined) return `^${first}${END}`
  const middle = others.filter((segment) => segment !== '').map(firstPlace)
  return `^${first}${middle.join('')}${ANY}*${last}${END}`
}

/** The texts between the `%`, as sources. */
function segments(pattern: string): string[] {
  const found = ['']
  let escaped = false
  for (const character of pattern) {
    if (!escaped && character === '%') found.push('')
    else if (!escaped && character === '\\') {
      escaped = true
      continue
    } else found[found.length - 1] += !escaped && character === '_' ? ANY : literal(character)
    escaped = false
  }
  return found
}

/** A look-ahead is not entered again once it has matched; the reference then takes what it saw. */
function firstPlace(segment: string, index: number): string {
  return `(?=(?<s${index}>${ANY}*?${segment}))\\k<s${index}>`
}

function literal(character: string): string {
  return SYNTAX.test(character) ? `\\${character}` : character
}
