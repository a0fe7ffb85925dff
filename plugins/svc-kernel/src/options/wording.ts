/** The words of an option problem: where it is, what stands there, what may stand there. Pure. */
import type { ErrorObject } from 'ajv'

const SECRET_NAME = /key|secret|password|token|credential|uri|url/i
const CREDENTIALS_IN_URL = /:\/\/[^/\s]*@/

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

/**
 * Names an option the way a person points at it: `svc-security.areas.api.authenticators[0]`.
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

/**
 * Shows a wrong value short, and never with a secret in it: a value under a name that may hold one is shown by its type.
 *
 * @param segments path of the value; one telling name anywhere in it is enough
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
  return segments.some((segment) => SECRET_NAME.test(segment))
}

/** What a schema takes, in a few words: its own `expected` where it has one, else read from its keywords. */
export function expectation(error: ErrorObject): string {
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
