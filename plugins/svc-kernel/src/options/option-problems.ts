/** Turns schema violations into problems a person can act on: one per mistake, with path, value and expectation. Pure. */
import type { ErrorObject } from 'ajv'
import { nearestName } from '../problems/nearest-name.ts'
import type { Problem } from '../problems/problem.ts'
import { mayBeSecretName } from '../secrets/secret-names.ts'

const CODE = 'SVC_KERNEL_OPTIONS'

/**
 * @param root what every path starts with: the plugin's name
 * @param errors of an Ajv with `allErrors` and `verbose`
 */
export function optionProblems(root: string, errors: readonly ErrorObject[]): Problem[] {
  // The page has our own options, and those of the config itself.
  const more = root === '' || root.startsWith('svc-') ? { more: 'npx svc docs options' } : {}
  const distinct = distinctErrors(errors)
  return distinct
    .filter((error) => !isMisspelt(error, distinct))
    .map((error) => ({ ...toProblem(root, error), ...more }))
}

/** A missing key that is there under a misspelt name: one mistake, reported at the misspelt key. */
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

/** Sections that are plugins of their own, without `svc-`: whoever writes one into another plugin means these options. */
export const PLUGIN_SECTIONS: ReadonlySet<string> = new Set([
  'accounts',
  'audit',
  'console',
  'decorators',
  'docdb',
  'events',
  'files',
  'jobs',
  'limits',
  'mail',
  'mcp',
  'openapi',
  'ops',
  'organizations',
  'orm',
  'otel',
  'realtime',
  'security',
  'sqlorm',
  'stores',
  'webhooks'
])

function unknownKey(root: string, segments: readonly string[], error: ErrorObject): Problem {
  const key = String(error.params.additionalProperty)
  const known = knownKeys(error)
  if (segments.length === 0 && PLUGIN_SECTIONS.has(key)) return foreignSection(root, key, known)
  const near = nearestName(key, known)
  return {
    code: CODE,
    message: `unknown key${near === undefined ? '' : ` (did you mean ${near}?)`}`,
    at: optionPath(root, [...segments, key]),
    expected: known.length > 0 ? known.join(' | ') : 'no keys at all',
    fix: near === undefined ? `remove ${key}` : `rename ${key} to ${near}`
  }
}

function foreignSection(root: string, key: string, known: readonly string[]): Problem {
  const plugin = `svc-${key}`
  const place = root === '' ? `modules: [[${plugin}, { ... }]]` : `register ${plugin} with them`
  return {
    code: CODE,
    message: `unknown key: ${key} is the plugin ${plugin}, which has its own options`,
    at: optionPath(root, [key]),
    expected: known.join(' | '),
    fix: `${place}, and remove ${key} here`
  }
}

function knownKeys({ parentSchema }: ErrorObject): string[] {
  return Object.keys((parentSchema as { properties?: object } | undefined)?.properties ?? {})
}

/** Keywords that only announce the errors of the schemas inside them. */
const ANNOUNCING = new Set(['if', 'propertyNames'])
const ROOT_MISMATCH = new Set(['type', 'const', 'enum'])

/**
 * One error per mistake. A failed union reports each of its branches and then itself: where the value fits one branch by
 * its type, that branch says what is wrong; else only the union says what it takes.
 */
function distinctErrors(errors: readonly ErrorObject[]): ErrorObject[] {
  const unions = errors.filter(({ keyword }) => keyword === 'anyOf' || keyword === 'oneOf')
  const reported = new Map(unions.map((union) => [union, fittingBranch(union, errors)]))
  return errors.filter((error) => {
    if (ANNOUNCING.has(error.keyword) || reported.get(error) !== undefined) return false
    return unions.every((union) => {
      const branch = branchOf(union, error)
      return branch === undefined || branch === reported.get(union)
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

interface Described {
  readonly expected?: string
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly type?: string | readonly string[]
  readonly format?: string
}

const FORMATS: Readonly<Record<string, string>> = {
  regex: 'a regular expression',
  origin: 'an origin such as "https://app.example"',
  role: 'a role name: ROLE_ and capitals, digits or _'
}

/** What a schema takes, in a few words: its own `expected` where it has one, else read from its keywords. */
function expectation(error: ErrorObject): string {
  const schema = (error.parentSchema ?? {}) as Described & Record<string, unknown>
  if (schema.expected !== undefined) return schema.expected
  switch (error.keyword) {
    case 'anyOf':
    case 'oneOf':
      return [...new Set((schema[error.keyword] as Described[]).map(describeSchema))].join(' | ')
    case 'enum':
    case 'const':
    case 'type':
      return describeSchema(schema)
    case 'format':
      return formatName(String(error.params.format))
    case 'pattern':
      return `text matching ${String(error.params.pattern)}`
    case 'minItems':
      return `at least ${String(error.params.limit)} item(s)`
    case 'minLength':
      return `at least ${String(error.params.limit)} character(s)`
    case 'minProperties':
      return `at least ${String(error.params.limit)} key(s)`
    default:
      return String(error.message).replace(/^must be /, '')
  }
}

function describeSchema({ expected, const: only, enum: choices, type, format }: Described): string {
  if (expected !== undefined) return expected
  if (only !== undefined) return String(only)
  if (choices !== undefined) return choices.join(' | ')
  if (format !== undefined) return formatName(format)
  return type === undefined ? 'another value' : [type].flat().join(' | ')
}

function formatName(format: string): string {
  return FORMATS[format] ?? format
}

/** Addresses often hold credentials. */
const ADDRESS = /uri|url/i
const CREDENTIALS_IN_URL = /:\/\/[^/\s]*@/

/**
 * How a wrong value is shown: short, and never with a secret in it. A value under a name that may hold one is shown by
 * its type, a tree by its size.
 *
 * @param segments path of the value; one such name anywhere in it is enough
 */
export function describeValue(segments: readonly string[], value: unknown): string {
  if (value === undefined) return 'undefined'
  if (Array.isArray(value)) return `a list of ${value.length}`
  if (typeof value === 'object' && value !== null) return 'an object'
  if (typeof value === 'function' || typeof value === 'symbol') return `a ${typeof value}`
  if (typeof value === 'string' && (namesSecret(segments) || CREDENTIALS_IN_URL.test(value))) {
    return `text of ${value.length} characters`
  }
  if (value !== null && namesSecret(segments)) return typeof value
  const text = typeof value === 'string' ? JSON.stringify(value) : String(value)
  return text.length > 80 ? `${text.slice(0, 77)}...` : text
}

function namesSecret(segments: readonly string[]): boolean {
  return segments.some((segment) => ADDRESS.test(segment) || mayBeSecretName(segment))
}

/**
 * Names an option the way a person writes it: `svc-security.areas.api.authenticators[0]`.
 *
 * @param root plugin name; empty for a key of the config itself
 */
export function optionPath(root: string, segments: readonly string[]): string {
  return segments.reduce((path, part) => {
    if (/^\d+$/.test(part)) return `${path}[${part}]`
    return path === '' ? part : `${path}.${part}`
  }, root)
}

/** The keys of a JSON pointer, unescaped (RFC 6901, section 4). */
export function pointerSegments(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
}
