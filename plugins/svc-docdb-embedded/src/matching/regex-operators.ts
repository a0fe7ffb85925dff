/**
 * `$regex` with `$options`, and regular expressions as values. JavaScript's Unicode mode refuses what PCRE knows and
 * JavaScript would read otherwise (such as `\A`), so a pattern either means the same or is refused.
 */
import type { BSONRegExp } from 'bson'
import { CommandError, notImplemented } from '../failure/command-error.ts'
import { isRegex, type Value } from '../values/value.ts'
import type { OperatorBuilder, ValueTest } from './condition.ts'

/** Characters that may be escaped without need; Unicode mode does not allow it. */
const NEEDLESS_ESCAPE = /\\(\\|[-!"#%&',:;<=>@_`~ ])/g

export function regexTest(regex: BSONRegExp): ValueTest {
  const compiled = compileRegex(regex.pattern, regex.options)
  return (value) => {
    if (typeof value === 'string') return compiled.test(value)
    return isRegex(value) && value.pattern === regex.pattern && value.options === regex.options
  }
}

/** @throws CommandError 51108 for an unknown option, 51091 for a pattern that does not compile */
export function compileRegex(pattern: string, options: string): RegExp {
  for (const option of options) {
    if (option === 'x') throw notImplemented("the regex option 'x'")
    if (!'imsu'.includes(option)) throw new CommandError(51108, `invalid flag in regex options: ${option}`)
  }
  const flags = `${options.replaceAll('u', '')}u`
  const candidates = [pattern, pattern.replace(NEEDLESS_ESCAPE, (whole, char) => (char === '\\' ? whole : char))]
  for (const source of candidates) {
    const compiled = tryCompile(source, flags)
    if (compiled !== null) return compiled
  }
  throw new CommandError(51091, `Regular expression is invalid: ${pattern}`)
}

function tryCompile(source: string, flags: string): RegExp | null {
  try {
    return new RegExp(source, flags)
  } catch {
    return null
  }
}

function patternOf(operand: Value): { pattern: string; options: string } {
  if (typeof operand === 'string') return { pattern: operand, options: '' }
  if (isRegex(operand)) return { pattern: operand.pattern, options: operand.options }
  throw new CommandError(2, '$regex has to be a string')
}

export const regexOperators: Readonly<Record<string, OperatorBuilder>> = {
  $regex: (operand, _parser, siblings) => {
    const { pattern, options: own } = patternOf(operand)
    const given = siblings.get('$options') ?? ''
    if (typeof given !== 'string') throw new CommandError(2, '$options has to be a string')
    if (given !== '' && own !== '') throw new CommandError(51075, 'options set in both $regex and $options')
    const compiled = compileRegex(pattern, given || own)
    return { test: (value) => typeof value === 'string' && compiled.test(value), reach: 'elements' }
  },
  $options: (_operand, _parser, siblings) => {
    if (!siblings.has('$regex')) throw new CommandError(2, '$options needs a $regex')
    return null
  }
}
