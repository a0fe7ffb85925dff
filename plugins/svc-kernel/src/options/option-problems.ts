/** Turns schema violations into problems a person can act on. Pure. */
import type { ErrorObject } from 'ajv'
import { nearestName } from '../problems/nearest-name.ts'
import type { Problem } from '../problems/problem.ts'
import { describeValue } from './describe-value.ts'
import { distinctErrors } from './distinct-errors.ts'
import { expectation } from './expectation.ts'
import { optionPath, pointerSegments } from './option-path.ts'

const CODE = 'SVC_KERNEL_OPTIONS'

/**
 * @param root what every path starts with: the plugin's name
 * @param errors of an Ajv with `allErrors` and `verbose`
 */
export function optionProblems(root: string, errors: readonly ErrorObject[]): Problem[] {
  // The page has our own options, and those of the config itself.
  const more = root === '' || root.startsWith('svc-') ? { more: 'docs/reference/options.md' } : {}
  const distinct = distinctErrors(errors)
  return distinct
    .filter((error) => !isMisspelt(error, distinct))
    .map((error) => ({ ...toProblem(root, error), ...more }))
}

/** A missing key that stands there under a name with a slip in it: one mistake, told where the slip is. */
function isMisspelt({ keyword, instancePath, params }: ErrorObject, errors: readonly ErrorObject[]): boolean {
  return (
    keyword === 'required' &&
    errors.some(
      (error) =>
        error.keyword === 'additionalProperties' &&
        error.instancePath === instancePath &&
        nearestName(String(error.params.additionalProperty), knownKeys(error)) === params.missingProperty
    )
  )
}

function toProblem(root: string, error: ErrorObject): Problem {
  const segments = pointerSegments(error.instancePath)
  if (error.keyword === 'additionalProperties') return unknownKey(root, segments, error)
  if (error.keyword === 'required') {
    const key = String(error.params.missingProperty)
    return { code: CODE, message: 'missing key', at: optionPath(root, [...segments, key]), fix: `add ${key}` }
  }
  const named = error.propertyName !== undefined
  return {
    code: CODE,
    message: named ? 'invalid name' : 'invalid value',
    at: optionPath(root, segments),
    got: named ? JSON.stringify(error.propertyName) : describeValue(segments, error.data),
    expected: expectation(error),
    fix: named ? `rename it: ${expectation(error)}` : valueFix(segments, error)
  }
}

/** The line to write: with the choice that was probably meant, where there are choices. */
function valueFix(segments: readonly string[], error: ErrorObject): string {
  const key = segments.findLast((segment) => !/^\d+$/.test(segment)) ?? 'it'
  const { enum: choices = [] } = (error.parentSchema ?? {}) as { enum?: readonly unknown[] }
  const meant = nearestName(String(error.data), choices.map(String))
  if (meant !== undefined) return `${key}: ${JSON.stringify(choices.find((choice) => String(choice) === meant))}`
  return `set ${key} to ${expectation(error)}`
}

function unknownKey(root: string, segments: readonly string[], error: ErrorObject): Problem {
  const key = String(error.params.additionalProperty)
  const known = knownKeys(error)
  const near = nearestName(key, known)
  return {
    code: CODE,
    message: `unknown key${near === undefined ? '' : ` (did you mean ${near}?)`}`,
    at: optionPath(root, [...segments, key]),
    expected: known.length > 0 ? known.join(' | ') : 'no keys at all',
    fix: near === undefined ? `remove ${key}` : `rename ${key} to ${near}`
  }
}

function knownKeys({ parentSchema }: ErrorObject): string[] {
  return Object.keys((parentSchema as { properties?: object } | undefined)?.properties ?? {})
}
