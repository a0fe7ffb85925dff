/** Lists the options of a JSON schema as the reference page shows them: path, type, default, meaning. Pure. */

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
  /** The doc comment of the option. */
  readonly meaning: string
}

/** Where a walk through a schema is. */
interface Place {
  readonly path: string
  /** Place in the schema, as in `optionComments`. */
  readonly pointer: string
  readonly required: boolean
}

const ROOT: Place = { path: '', pointer: '', required: true }

/** Every leaf of the schema. A record's keys are shown as `<name>`. */
export function optionRows(
  schema: Schema,
  comments: ReadonlyMap<string, string> = new Map(),
  { path, pointer, required }: Place = ROOT
): OptionRow[] {
  const { properties, additionalProperties, items } = schema
  const at = (step: string) => (pointer === '' ? step : `${pointer}/${step}`)
  const children = Object.entries(properties ?? {}).flatMap(([key, child]) =>
    optionRows(child, comments, {
      path: path === '' ? key : `${path}.${key}`,
      pointer: at(`properties/${key}`),
      required: schema.required?.includes(key) ?? false
    })
  )
  if (isRecord(additionalProperties)) {
    const place = { path: `${path}.<name>`, pointer: at('additionalProperties'), required: false }
    children.push(...optionRows(additionalProperties, comments, place))
  }
  if (items?.properties !== undefined) {
    children.push(...optionRows(items, comments, { path: `${path}[]`, pointer: at('items'), required: false }))
  }
  if (children.length > 0 || path === '') return children
  const meaning = comments.get(pointer) ?? comments.get(pointer.replace(/\/additionalProperties$/, '')) ?? ''
  return [{ path, type: typeName(schema), fallback: fallbackOf(schema, required), meaning }]
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
