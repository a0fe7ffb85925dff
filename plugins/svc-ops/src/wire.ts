/** Types of what svc-ops answers over HTTP, as its routes declare it. */
import type { FromSchema } from 'svc-kernel/schemas'
import type * as answers from './answers.ts'

export type Health = FromSchema<typeof answers.health>
export type Rates = FromSchema<typeof answers.rates>
export type History = FromSchema<typeof answers.history>
export type System = FromSchema<typeof answers.system>
export type Instances = FromSchema<typeof answers.instances>
export type LogLevel = FromSchema<typeof answers.logLevel>
export type Requests = FromSchema<typeof answers.requests>
export type WholeRequest = FromSchema<typeof answers.wholeRequest>
