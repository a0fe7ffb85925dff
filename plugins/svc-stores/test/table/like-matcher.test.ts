/** The matcher against the same pattern as a regular expression, on random texts; what it means, the suite says. */
import fc from 'fast-check'
import t from 'tap'
import { likeMatcher } from '../../src/table/like-matcher.ts'

function asExpression(pattern: string): RegExp {
  const source = pattern.replace(/\\(.)|%|_|./gsu, (part, escaped: string | undefined) => {
    if (part === '%') return '.*'
    if (part === '_') return '.'
    return (escaped ?? part).replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
  })
  return new RegExp(`^${source}$`, 'su')
}

t.test('agrees with a regular expression', async () => {
  const part = fc.constantFrom('a', 'b', '👩', '%', '_', '\\%', '\\_', '\\\\', '\\a', '.', '*', '\n')
  const pattern = fc.array(part, { maxLength: 8 }).map((parts) => parts.join(''))
  const text = fc
    .array(fc.constantFrom('a', 'b', '👩', '%', '_', '\\', '.', '\n'), { maxLength: 8 })
    .map((parts) => parts.join(''))
  fc.assert(
    fc.property(pattern, text, (like, given) => likeMatcher(like)(given) === asExpression(like).test(given)),
    { numRuns: 5000 }
  )
})
