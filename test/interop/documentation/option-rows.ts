/** Lists the options of a JSON schema as the reference page shows them: path, type, default. Pure. */

interface Schema {
  readonly type?: string | readonly string[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly additionalProperties?: boolean | Schema
  readonly items?: Schema
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly Schema[]
  readonly format?: string
  readonly default?: unknown
  readonly required?: readonly string[]
}

export interface OptionRow {
  /** `areas.<name>.pattern`; `[]` stands for each item of a list. */
  readonly path: string
  readonly type: string
  /** As JSON; `required` where the key must be given, `none` where it may be left out and has no default. */
  readonly fallback: string
}

/** Every leaf of the schema. A record's keys are shown as `<name>`. */
export function optionRows(schema: Schema, path = '', required = true): OptionRow[] {
  const { properties, additionalProperties, items } = schema
  const children: OptionRow[] = []
  for (const [key, child] of Object.entries(properties ?? {})) {
    children.push(...optionRows(child, path === '' ? key : `${path}.${key}`, schema.required?.includes(key) ?? false))
  }
  if (isRecord(additionalProperties)) children.push(...optionRows(additionalProperties, `${path}.<name>`, false))
  if (items?.properties !== undefined) children.push(...optionRows(items, `${path}[]`, false))
  if (children.length > 0 || path === '') return children
  return [{ path, type: typeName(schema), fallback: fallbackOf(schema, required) }]
}

function isRecord(value: boolean | Schema | undefined): value is Schema {
  return typeof value === 'object' && value !== null
}

function typeName({ type, enum: choices, anyOf, format, items }: Schema): string {
  if (anyOf !== undefined) return anyOf.map(typeName).join(' | ')
  if (choices !== undefined) return choices.map((choice) => JSON.stringify(choice)).join(' | ')
  if (type === 'array') return items?.anyOf === undefined ? `${typeName(items ?? {})}[]` : `(${typeName(items)})[]`
  const name = typeof type === 'string' ? type : (type ?? ['any']).join(' | ')
  return format === undefined ? name : `${name} (${format})`
}

function fallbackOf(schema: Schema, required: boolean): string {
  if (schema.default !== undefined) return JSON.stringify(schema.default)
  return required ? 'required' : 'none'
}
