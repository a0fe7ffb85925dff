/** Turns schema violations into problems a person can act on. Pure. */
import type { ErrorObject } from 'ajv'
import { nearestName } from '../problems/nearest-name.ts'
import type { Problem } from '../problems/problem.ts'
import { describeValue, expectation, optionPath, pointerSegments } from './wording.ts'

const CODE = 'SVC_KERNEL_OPTIONS'

/** Keywords that only announce the errors of the schemas inside them. */
const ANNOUNCING = new Set(['if', 'propertyNames'])
const ROOT_MISMATCH = new Set(['type', 'const', 'enum'])

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

/** A missing key that is there under a misspelt name: one mistake, reported where the slip is. */
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

/**
 * One error per mistake. A failed union reports each of its branches and then itself: where the value fits one branch by
 * its type, that branch says what is wrong; else the union itself says what it takes.
 */
function distinctErrors(errors: readonly ErrorObject[]): ErrorObject[] {
  const unions = errors.filter(({ keyword }) => keyword === 'anyOf' || keyword === 'oneOf')
  const fitting = new Map(unions.map((union) => [union, fittingBranch(union, errors)]))
  return errors.filter((error) => {
    if (ANNOUNCING.has(error.keyword) || fitting.get(error) !== undefined) return false
    return unions.every((union) => {
      const branch = branchOf(union, error)
      return branch === undefined || branch === fitting.get(union)
    })
  })
}

/** The only branch whose type the value has. */
function fittingBranch(union: ErrorObject, errors: readonly ErrorObject[]): string | undefined {
  const fitting = new Map<string, boolean>()
  for (const error of errors) {
    const branch = branchOf(union, error)
    if (branch === undefined) continue
    const mismatch = error.instancePath === union.instancePath && ROOT_MISMATCH.has(error.keyword)
    fitting.set(branch, (fitting.get(branch) ?? true) && !mismatch)
  }
  const found = [...fitting].filter(([, fits]) => fits)
  return found.length === 1 ? found[0]?.[0] : undefined
}

/** Which branch of the union an error comes from; `undefined` for errors from elsewhere. */
function branchOf(union: ErrorObject, error: ErrorObject): string | undefined {
  if (error === union || !error.schemaPath.startsWith(`${union.schemaPath}/`)) return undefined
  const inside = error.instancePath === union.instancePath || error.instancePath.startsWith(`${union.instancePath}/`)
  return inside ? error.schemaPath.slice(union.schemaPath.length + 1).split('/', 1)[0] : undefined
}
