/** Types of what the admin plane of svc-orm answers over HTTP, as its routes declare it. */
import type { FromSchema } from 'svc-kernel/schemas'
import type * as schemas from './admin/admin-schemas.ts'

export type Orms = FromSchema<typeof schemas.ormsSchema>
export type Entity = FromSchema<typeof schemas.entitySchema>
export type Graph = FromSchema<typeof schemas.graphSchema>
export type Counts = FromSchema<typeof schemas.countsSchema>
export type Health = FromSchema<typeof schemas.healthSchema>
export type Flow = FromSchema<typeof schemas.flowSchema>
export type Export = FromSchema<typeof schemas.exportSchema>
export type SchemaStates = FromSchema<typeof schemas.schemaSchema>
export type Rows = FromSchema<typeof schemas.rowsSchema>
