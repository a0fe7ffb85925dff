/**
 * One error per mistake. A failed union reports each of its branches and then
 * itself: where the value fits one branch by its type, that branch says what
 * is wrong; else the union alone says what it takes. Pure.
 */
import type { ErrorObject } from 'ajv'

/** Keywords that only announce the errors of the schemas inside them. */
const ANNOUNCING = new Set(['if', 'propertyNames'])
const ROOT_MISMATCH = new Set(['type', 'const', 'enum'])

export function distinctErrors(errors: readonly ErrorObject[]): ErrorObject[] {
  const unions = errors.filter(({ keyword }) => keyword === 'anyOf' || keyword === 'oneOf')
  const told = new Map(unions.map((union) => [union, fittingBranch(union, errors)]))
  return errors.filter((error) => {
    if (ANNOUNCING.has(error.keyword) || told.get(error) !== undefined) return false
    return unions.every((union) => {
      const branch = branchOf(union, error)
      return branch === undefined || branch === told.get(union)
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
