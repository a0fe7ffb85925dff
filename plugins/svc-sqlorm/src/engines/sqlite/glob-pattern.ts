/**
 * A SQL pattern as SQLite's GLOB reads it: case-sensitive, one `?` per code
 * point, and able to use an index. (SQLite's LIKE ignores the case of ASCII.)
 */

/** `%` is `*`, `_` is `?`, `\` takes the next character as it is; what GLOB would read goes into brackets. */
export function globPattern(pattern: string): string {
  let glob = ''
  let escaped = false
  for (const character of pattern) {
    if (!escaped && character === '\\') {
      escaped = true
      continue
    }
    if (!escaped && character === '%') glob += '*'
    else if (!escaped && character === '_') glob += '?'
    else glob += '*?['.includes(character) ? `[${character}]` : character
    escaped = false
  }
  return glob
}
