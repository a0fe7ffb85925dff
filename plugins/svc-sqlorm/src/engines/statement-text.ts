/**
 * The text of a statement without its values: what is in quotes, each number and each parameter become `?`, comments
 * go. Names stay. A program may have put anything into its text, so what is no name is a value, and what is not closed is
 * one to its end. Pure.
 */

/** Comments; texts between dollars, with escapes, and plain; names in quotes; parameters; numbers. */
const PARTS =
  /--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|\$([a-z_]\w*)?\$[\s\S]*?(?:\$\1\$|$)|\be'(?:[^'\\]|\\[\s\S]|'')*(?:'|$)|(?:u&|[bnx])?'(?:[^']|'')*(?:'|$)|"(?:[^"]|"")*(?:"|$)|[$:@]\w+|\?\d*|\b\d[\w.]*/gi

const NAME = /^"[a-z_][\w$ .-]{0,62}"$/i

/** `(?, ?, ?)` of any length. */
const LISTS = /\?(?:\s*,\s*\?)+/g

const LONGEST = 1000

/** @param sql as it is sent */
export function withoutValues(sql: string): string {
  const text = sql
    .replace(PARTS, (part) => {
      if (part.startsWith('--') || part.startsWith('/*')) return ' '
      return part.startsWith('"') && NAME.test(part) ? part : '?'
    })
    .replace(LISTS, '?, …')
    .replace(/\s+/g, ' ')
    .trim()
  return text.length > LONGEST ? `${text.slice(0, LONGEST - 1)}…` : text
}
