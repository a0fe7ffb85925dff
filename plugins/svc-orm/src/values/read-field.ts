/** Reads the value of one field before it is written. Pure; the result shares nothing with what was given. */
import type { IdForm } from 'svc-stores/table'
import type { CompiledField } from '../entity/compiled-entity.ts'
import { InvalidValue } from '../errors.ts'
import { copyJson, EXPECTED_JSON } from './copy-json.ts'
import { expectedScalar, readScalar, type ScalarType } from './read-scalar.ts'

/** @throws InvalidValue */
export function readField(field: CompiledField, given: unknown, ids: IdForm): unknown {
  if (given === null) {
    if (field.nullable) return null
    throw new InvalidValue(field.name, 'a value, as the field is required')
  }
  const { type } = field
  if (type === 'json') {
    const copy = copyJson(given)
    if (copy === undefined) throw new InvalidValue(field.name, EXPECTED_JSON)
    return copy
  }
  if (!field.array) return readItem(field, type, given, ids)
  if (!Array.isArray(given)) throw new InvalidValue(field.name, `a list, each item ${expectedScalar(type)}`)
  return Array.from(given, (item) => readItem(field, type, item, ids))
}

function readItem(field: CompiledField, type: ScalarType, given: unknown, ids: IdForm): unknown {
  const value = readScalar(type, given)
  if (value === undefined) throw new InvalidValue(field.name, expectedScalar(type))
  if (typeof value !== 'string') return value
  if (type === 'id' && !ids.accepts(value)) throw new InvalidValue(field.name, ids.description)
  if (field.maxLength !== null && isLongerThan(value, field.maxLength)) {
    throw new InvalidValue(field.name, `at most ${field.maxLength} characters`)
  }
  return value
}

/** In code points, which JSON Schema counts too; a pair of surrogates is one. */
function isLongerThan(text: string, length: number): boolean {
  if (text.length <= length) return false
  return text.length > 2 * length || Array.from(text).length > length
}
