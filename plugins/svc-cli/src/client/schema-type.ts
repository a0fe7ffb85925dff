/** The TypeScript type of the values that a JSON Schema describes, as text. What a schema does not say is `unknown`. Pure. */

type Schema = Readonly<Record<string, unknown>>

/** Who writes the value: what has a default may be left out by the caller, and is there in an answer. */
export type Side = 'input' | 'output'

export interface TypeContext {
  readonly side: Side
  /** The name of the type that a `$ref` stands for, or `null`: then it is looked up in the schema itself. */
  refer?(reference: string): string | null
}

const IDENTIFIER = /^[A-Za-z_$][\w$]*$/
/** A schema that is deeper, or refers to itself. */
const DEEPEST = 12

export function schemaType(schema: unknown, context: TypeContext): string {
  return new TypeText(schema, context).of(schema, 0)
}

/** A key of an object type. */
export function keyText(name: string): string {
  return IDENTIFIER.test(name) ? name : quoted(name)
}

/** As the formatter of the repository writes a text. */
export function quoted(text: string): string {
  return `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`
}

/** Whether a caller may leave out what the schema fills in. */
export function hasDefaults(schema: unknown): boolean {
  if (typeof schema !== 'object' || schema === null) return false
  return 'default' in schema || Object.values(schema).some(hasDefaults)
}

class TypeText {
  readonly #root: unknown
  readonly #context: TypeContext

  constructor(root: unknown, context: TypeContext) {
    this.#root = root
    this.#context = context
  }

  of(given: unknown, depth: number): string {
    if (given === false) return 'never'
    if (typeof given !== 'object' || given === null || depth > DEEPEST) return 'unknown'
    const schema = given as Schema
    const { const: value, enum: values, anyOf, oneOf, allOf, nullable } = schema
    const text = (): string => {
      if (typeof schema.$ref === 'string') return this.#referred(schema.$ref, depth)
      if ('const' in schema) return literal(value)
      if (Array.isArray(values)) return union(values.map(literal))
      const choices = anyOf ?? oneOf
      const parts = Array.isArray(allOf) ? allOf.map((part) => this.of(part, depth + 1)) : []
      if (Array.isArray(choices)) parts.push(union(choices.map((choice) => this.of(choice, depth + 1))))
      if (schema.type !== undefined || schema.properties !== undefined) parts.push(this.#typed(schema, depth))
      const known = parts.filter((part) => part !== 'unknown')
      if (known.length === 0) return 'unknown'
      return known.length === 1 ? (known[0] as string) : known.map(inner).join(' & ')
    }
    return nullable === true ? union([text(), 'null']) : text()
  }

  #referred(reference: string, depth: number): string {
    const named = this.#context.refer?.(reference)
    if (named != null) return named
    if (!reference.startsWith('#/')) return 'unknown'
    const path = reference.slice(2).split('/')
    const found = path.reduce<unknown>(
      (part, key) => (part as Schema | undefined)?.[key.replaceAll('~1', '/').replaceAll('~0', '~')],
      this.#root
    )
    return this.of(found, depth + 1)
  }

  #typed(schema: Schema, depth: number): string {
    const types = [schema.type ?? 'object'].flat()
    return union(types.map((type) => this.#one(String(type), schema, depth)))
  }

  #one(type: string, schema: Schema, depth: number): string {
    switch (type) {
      case 'string':
        return schema.format === 'binary' ? (this.#context.side === 'input' ? 'Upload' : 'Bytes') : 'string'
      case 'integer':
      case 'number':
        return 'number'
      case 'boolean':
      case 'null':
        return type
      case 'array':
        return this.#list(schema, depth)
      case 'object':
        return this.#object(schema, depth)
      default:
        return 'unknown'
    }
  }

  #list({ items, prefixItems }: Schema, depth: number): string {
    const first = prefixItems ?? items
    if (Array.isArray(first)) return `[${first.map((item) => this.of(item, depth + 1)).join(', ')}]`
    return `${inner(this.of(items, depth + 1))}[]`
  }

  #object({ properties, required, additionalProperties }: Schema, depth: number): string {
    const always = new Set(Array.isArray(required) ? required : [])
    const { side } = this.#context
    const members = Object.entries((properties ?? {}) as Schema).map(([name, schema]) => {
      const filled = typeof schema === 'object' && schema !== null && 'default' in schema
      const isThere = filled ? side === 'output' : always.has(name)
      return `${keyText(name)}${isThere ? '' : '?'}: ${this.of(schema, depth + 1)}`
    })
    if (members.length > 0) return `{ ${members.join('; ')} }`
    if (properties !== undefined && additionalProperties === false) return 'Record<string, never>'
    const values = typeof additionalProperties === 'object' ? this.of(additionalProperties, depth + 1) : 'unknown'
    return `Record<string, ${values}>`
  }
}

function literal(value: unknown): string {
  if (typeof value === 'string') return quoted(value)
  return value === null || typeof value === 'number' || typeof value === 'boolean' ? String(value) : 'unknown'
}

function union(texts: readonly string[]): string {
  if (texts.includes('unknown')) return 'unknown'
  const distinct = [...new Set(texts.filter((text) => text !== 'never'))]
  return distinct.length === 0 ? 'never' : distinct.join(' | ')
}

function inner(text: string): string {
  return / [|&] /.test(text) && !/^\{.*\}$/.test(text) ? `(${text})` : text
}
