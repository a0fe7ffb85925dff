/** Turns schema violations into problems a person can act on. Pure. */
import type { ErrorObject } from 'ajv'
import { nearestName } from '../problems/nearest-name.ts'
import type { Problem } from '../problems/problem.ts'
import { describeValue } from './describe-value.ts'
import type { OptionsSchema } from './schema-compiler.ts'

const CODE = 'SVC_KERNEL_OPTIONS'

const FORMATS: Readonly<Record<string, string>> = {
  regex: 'a regular expression',
  origin: 'an origin such as "https://app.example"',
  role: 'a role name: ROLE_ and capitals, digits or _'
}

export function optionProblems(
  plugin: string,
  schema: OptionsSchema,
  given: unknown,
  errors: readonly ErrorObject[]
): Problem[] {
  // A union reports each of its branches and then itself; the union alone says what is expected.
  const unions = errors.filter(({ keyword }) => keyword === 'anyOf' || keyword === 'oneOf')
  return errors
    .filter((error) => !unions.some((union) => union !== error && error.schemaPath.startsWith(`${union.schemaPath}/`)))
    .filter(({ keyword }) => keyword !== 'if' && keyword !== 'propertyNames')
    .map((error) => toProblem(plugin, schema, given, error))
}

function toProblem(plugin: string, _schema: OptionsSchema, given: unknown, error: ErrorObject): Problem {
  const segments = error.instancePath
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
  const path = optionPath(plugin, segments)
  if (error.keyword === 'additionalProperties') {
    const key = String(error.params.additionalProperty)
    const known = Object.keys((error.parentSchema as { properties?: object } | undefined)?.properties ?? {})
    const near = nearestName(key, known)
    return {
      code: CODE,
      message: `unknown key${near === undefined ? '' : ` (did you mean ${near}?)`}`,
      at: optionPath(plugin, [...segments, key]),
      expected: known.length > 0 ? known.join(' | ') : 'no keys at all',
      fix: near === undefined ? `remove ${key}` : `rename ${key} to ${near}`
    }
  }
  if (error.keyword === 'required') {
    return {
      code: CODE,
      message: 'missing key',
      at: optionPath(plugin, [...segments, String(error.params.missingProperty)])
    }
  }
  if (error.propertyName !== undefined) {
    return {
      code: CODE,
      message: 'invalid name',
      at: path,
      got: JSON.stringify(error.propertyName),
      expected: expectation(error)
    }
  }
  return {
    code: CODE,
    message: 'invalid value',
    at: path,
    got: describeValue(segments, valueAt(given, segments)),
    expected: expectation(error)
  }
}

function expectation(error: ErrorObject): string {
  const described = (error.parentSchema as { expected?: string } | undefined)?.expected
  if (described !== undefined) return described
  switch (error.keyword) {
    case 'enum':
      return (error.params.allowedValues as unknown[]).join(' | ')
    case 'const':
      return String(error.params.allowedValue)
    case 'type':
      return ([] as string[]).concat(error.params.type as string | string[]).join(' | ')
    case 'format':
      return FORMATS[String(error.params.format)] ?? String(error.params.format)
    case 'pattern':
      return `text matching ${String(error.params.pattern)}`
    case 'minItems':
      return `at least ${String(error.params.limit)} item(s)`
    case 'minLength':
      return `at least ${String(error.params.limit)} character(s)`
    default:
      return String(error.message).replace(/^must be /, '')
  }
}

function valueAt(value: unknown, segments: readonly string[]): unknown {
  let found = value
  for (const segment of segments) found = (found as Record<string, unknown> | undefined)?.[segment]
  return found
}

/** `svc-security.areas.api.authenticators[0]` */
export function optionPath(plugin: string, segments: readonly string[]): string {
  return segments.reduce((path, part) => (/^\d+$/.test(part) ? `${path}[${part}]` : `${path}.${part}`), plugin)
}

/** Functions and clients are not data: they cannot be checked, copied or frozen, so they come under `parts`. */
export function liveValueProblems(plugin: string, value: unknown, segments: readonly string[] = []): Problem[] {
  if (typeof value === 'function' || typeof value === 'symbol' || isInstance(value)) {
    return [
      {
        code: CODE,
        message: 'a live object is not an option',
        at: optionPath(plugin, segments),
        expected: 'plain data',
        fix: `pass it as parts.${segments.at(-1) ?? ''}`
      }
    ]
  }
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, child]) => liveValueProblems(plugin, child, [...segments, key]))
}

function isInstance(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype !== null && Object.getPrototypeOf(prototype) !== null
}
