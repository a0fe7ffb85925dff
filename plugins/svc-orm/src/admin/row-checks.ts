/**
 * What administrators may write into a row: fields that they see, with the values that CRUD takes. All faults are reported
 * together, each with its field. The schemas of an entity are compiled for its first change.
 */

import { crudRoutes } from '../crud/crud-routes.ts'
import type { CompiledEntity, CompiledField } from '../entities/compiled-entity.ts'
import { isReadOnly } from '../entities/existing-table.ts'
import { HiddenRequired, ReadOnlyEntity } from '../errors.ts'
import { isMasked } from './row-view.ts'

type Validate = (data: unknown) => true | { readonly error?: unknown }

export interface RowChecks {
  /** @throws ReadOnlyEntity, HiddenRequired, an error with a fault per field (400) */
  creates(entity: CompiledEntity, values: unknown): void
  /** @throws ReadOnlyEntity, an error with a fault per field (400) */
  changes(entity: CompiledEntity, values: unknown): void
}

export function rowChecks(): RowChecks {
  const known = new WeakMap<CompiledEntity, { readonly create: Validate; readonly change: Validate }>()
  const checksOf = (entity: CompiledEntity) => {
    const checks = known.get(entity) ?? compiled(entity)
    known.set(entity, checks)
    return checks
  }
  return {
    creates(entity, values) {
      assertWritable(entity)
      const missing = [...entity.fields.values()].filter((field) => isMasked(field) && isRequired(field))
      if (missing.length > 0) throw new HiddenRequired(entity.name, missing.map(({ name }) => name).join(', '))
      check(checksOf(entity).create, values)
    },
    changes(entity, values) {
      assertWritable(entity)
      check(checksOf(entity).change, values)
    }
  }
}

function assertWritable(entity: CompiledEntity): void {
  if (isReadOnly(entity)) throw new ReadOnlyEntity(entity.name)
}

function isRequired(field: CompiledField): boolean {
  return !field.managed && !field.nullable && field.default === undefined
}

function compiled(entity: CompiledEntity) {
  const fields = [...entity.fields.values()].filter((field) => !isMasked(field))
  // What is not masked is shown: a field that is not hidden though its name says secret.
  const shown = fields.map(({ hidden: _, ...field }) => field)
  // A row gets the scope that it is given, and keeps it.
  const given = shown
    .filter(({ managed, scope }) => !managed || scope)
    .map(({ scope: _, ...field }) => ({ ...field, managed: false }))
  const { create } = crudRoutes(entity.name, given)
  const { change } = crudRoutes(
    entity.name,
    shown.filter(({ managed }) => !managed)
  )
  const validatorOf = ({ schema, validatorCompiler }: typeof create): Validate => {
    const body = schema.body
    return validatorCompiler({ schema: body, method: 'POST', url: '/', httpPart: 'body' } as never) as Validate
  }
  return { create: validatorOf(create), change: validatorOf(change) }
}

function check(validate: Validate, values: unknown): void {
  const outcome = validate(values)
  if (outcome === true || outcome.error === undefined) return
  const { error } = outcome
  if (!Array.isArray(error)) throw error
  const validation = error.map((fault: { instancePath: string }) => ({
    ...fault,
    instancePath: `/values${fault.instancePath}`
  }))
  throw Object.assign(new Error('the values are not valid'), {
    ...{ statusCode: 400, code: 'SVC_HTTP_VALIDATION', validationContext: 'body' },
    validation
  })
}
