/** What a schema takes, in a few words: its own `expected` where it has one, else read from its keywords. Pure. */
import type { ErrorObject } from 'ajv'

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
