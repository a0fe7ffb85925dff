/**
 * What can be said of a zone's pattern without matching every path: the literal
 * text it starts with, and which texts it matches whatever follows. Used to prove at boot that a parameter cannot move a
 * route into another zone; where nothing can be proven, the path is matched per request.
 */

export interface PatternReach {
  /** Literal text every matching path begins with; empty when unknown. */
  readonly prefix: string
  /** A text this matches is matched by the pattern whatever follows it; `null` when nothing can be promised. */
  readonly settles: RegExp | null
}

export function patternReach(source: string, flags: string): PatternReach {
  // "this folder or all below it", as most zones are written: everything below is settled.
  const below = source.replace(/\((?:\?:)?\\?\/\|\$\)$/, '/')
  const open = !/\$|\\[bB]|\(\?[=!<]/.test(below)
  return {
    prefix: source.startsWith('^') && alternatives(source).length === 1 ? literalPrefix(source.slice(1)) : '',
    settles: open ? new RegExp(below, flags) : null
  }
}

/** True when no path that begins with `start` can match a pattern of this reach. */
export function excludes({ prefix }: PatternReach, start: string, ignoreCase: boolean): boolean {
  const [a, b] = ignoreCase ? [prefix.toLowerCase(), start.toLowerCase()] : [prefix, start]
  return !a.startsWith(b) && !b.startsWith(a)
}

function literalPrefix(source: string): string {
  const literal = /^(?:[^\\^$.*+?()[\]{}|]|\\[^a-zA-Z0-9])*/.exec(source)?.[0] ?? ''
  // A quantifier behind the literal makes its last character optional or repeated.
  const sure = /^[*+?{]/.test(source.slice(literal.length)) ? literal.replace(/(?:\\.|[^\\])$/, '') : literal
  return sure.replace(/\\(.)/g, '$1')
}

/** The alternatives outside of every group: without `|` there, the pattern itself. */
export function alternatives(source: string): string[] {
  const parts = ['']
  let depth = 0
  for (const [token] of source.matchAll(/\\.|\[(?:\\.|[^\]\\])*\]|./gsu)) {
    if (token === '(') depth += 1
    else if (token === ')') depth -= 1
    if (token === '|' && depth === 0) parts.push('')
    else parts.push(parts.pop() + token)
  }
  return parts
}
