/**
 * What a value must meet beside its type and length: the least and the greatest value, a pattern, for JSON a JSON Schema.
 * Compiled once with its field, and asked before every statement, so that all databases refuse the same. Pure.
 */
import { Ajv } from 'ajv'
import { InvalidValue } from '../errors.ts'
import { type FieldTypeDefinition, rowValue } from '../fields/field-type.ts'
import { takersOf } from '../fields/field-types.ts'
import type { CompiledField, ValueRule } from './compiled-entity.ts'
import type { FieldDefinition } from './entity-definition.ts'

export interface CompiledRule {
  readonly rule?: ValueRule
  /** What is wrong with its declaration. */
  readonly faults: readonly string[]
}

type Bound = number | bigint | string | Date
type Test = ValueRule['fault']

export function compileRule(field: FieldDefinition, type: FieldTypeDefinition): CompiledRule {
  const { check = {}, schema } = field
  const { takes } = type
  const faults: string[] = []
  const tests: Test[] = []
  const [least, greatest] = [boundOf(field, type, 'min', faults), boundOf(field, type, 'max', faults)]
  // In JSON a value is as rows have it.
  const described: Record<string, unknown> = type.fromStored === undefined ? boundsSchema(least, greatest) : {}
  if (least !== null)
    tests.push((value) => ((value as Bound) < least ? `at least ${shownBound(field, type, least)}` : null))
  if (greatest !== null)
    tests.push((value) => ((value as Bound) > greatest ? `at most ${shownBound(field, type, greatest)}` : null))
  if (least !== null && greatest !== null && least > greatest) faults.push('check.min is above check.max')
  const { minLength, pattern } = check
  if (minLength !== undefined) {
    if (!takes.includes('minLength')) faults.push(`check.minLength is for ${takersOf('minLength')}`)
    tests.push((value) => (Array.from(value as string).length < minLength ? `at least ${minLength} characters` : null))
    described.minLength = minLength
  }
  if (pattern !== undefined) {
    if (!takes.includes('pattern')) faults.push(`check.pattern is for ${takersOf('pattern')}`)
    const form = compiledPattern(pattern, faults)
    tests.push((value) => (form.test(value as string) ? null : `text that matches ${form}`))
    described.pattern = pattern
  }
  if (schema !== undefined) {
    if (!takes.includes('schema')) faults.push(`schema is for ${takersOf('schema')}`)
    tests.push(schemaTest(schema, faults))
    // Within another document its references would lead elsewhere.
    if (!JSON.stringify(schema).includes('"$ref"')) Object.assign(described, schema)
  }
  if (tests.length === 0) return { faults }
  return {
    faults,
    rule: { fault: firstFault(tests), schema: described, least: amount(least), greatest: amount(greatest) }
  }
}

/** @returns the value @throws InvalidValue */
export function meetsRule<Value>({ name, rule }: CompiledField, value: Value): Value {
  const fault = rule?.fault(value) ?? null
  if (fault !== null) throw new InvalidValue(name, fault)
  return value
}

function firstFault(tests: readonly Test[]): Test {
  return (value) => {
    for (const test of tests) {
      const fault = test(value)
      if (fault !== null) return fault
    }
    return null
  }
}

function boundOf(
  field: FieldDefinition,
  type: FieldTypeDefinition,
  which: 'min' | 'max',
  faults: string[]
): Bound | null {
  const given = field.check?.[which]
  if (given === undefined) return null
  const { takes, read, expected } = type
  if (!takes.includes(which)) {
    faults.push(`check.${which} is for ${takersOf(which)}`)
    return null
  }
  const value = read(given, field) as Bound | undefined
  if (value === undefined) faults.push(`check.${which}: expected ${expected(field)}`)
  return value ?? null
}

function boundsSchema(least: Bound | null, greatest: Bound | null): Record<string, unknown> {
  return {
    ...(typeof least === 'number' && { minimum: least }),
    ...(typeof greatest === 'number' && { maximum: greatest })
  }
}

function compiledPattern(pattern: string, faults: string[]): RegExp {
  try {
    return new RegExp(pattern, 'u')
  } catch (error) {
    faults.push(`check.pattern: ${(error as Error).message}`)
    return /^/
  }
}

/** Made by the first schema: it compiles one of its own, which costs more than most of ours. */
let ajv: Ajv | undefined

function schemaTest(schema: object, faults: string[]): Test {
  ajv ??= new Ajv({ strict: true, strictTypes: false, strictRequired: false, logger: false })
  try {
    const validate = ajv.compile(schema)
    // Two schemas may have one name.
    ajv.removeSchema(schema)
    return (value) => {
      if (validate(value)) return null
      const [fault] = validate.errors ?? []
      return `JSON that meets its schema: ${fault?.instancePath || 'it'} ${fault?.message}`
    }
  } catch (error) {
    faults.push(`schema: ${(error as Error).message}`)
    return () => null
  }
}

function amount(bound: Bound | null): number | bigint | null {
  return typeof bound === 'number' || typeof bound === 'bigint' ? bound : null
}

function shownBound(field: FieldDefinition, type: FieldTypeDefinition, bound: Bound): string {
  const shown = rowValue(type, bound, field)
  return shown instanceof Date ? shown.toISOString() : String(shown)
}
