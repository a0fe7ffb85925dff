/** Types of what the admin plane of svc-orm answers over HTTP, as its routes declare it. */
import type { FromSchema } from 'svc-kernel/schemas'
import type * as answers from './admin/answers.ts'

export type Orms = FromSchema<typeof answers.orms>
export type Entity = FromSchema<typeof answers.entity>
export type Graph = FromSchema<typeof answers.graph>
export type Counts = FromSchema<typeof answers.counts>
export type Health = FromSchema<typeof answers.health>
export type Flow = FromSchema<typeof answers.flow>
export type Export = FromSchema<typeof answers.exported>
export type SchemaStates = FromSchema<typeof answers.schemaStates>
export type Row = FromSchema<typeof answers.row>
export type Rows = FromSchema<typeof answers.rows>
