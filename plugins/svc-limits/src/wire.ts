/** Types of what svc-limits answers over HTTP, as its routes declare it. */
import type { FromSchema } from 'svc-kernel/schemas'
import type * as answers from './answers.ts'

export type LimitList = FromSchema<typeof answers.limits>
export type LimitSpending = FromSchema<typeof answers.spending>
