/** Types of what the admin API answers over HTTP, as its routes declare it. */
import type { FromSchema } from 'svc-kernel/schemas'
import type * as answers from './admin/answers.ts'

export type Endpoint = FromSchema<typeof answers.endpoint>
export type FoundEndpoint = FromSchema<typeof answers.foundEndpoint>
export type Endpoints = FromSchema<typeof answers.endpoints>
export type WithSecret = FromSchema<typeof answers.withSecret>
export type Secret = FromSchema<typeof answers.secret>
export type Deliveries = FromSchema<typeof answers.deliveries>
export type Sent = FromSchema<typeof answers.sent>
export type Recovery = FromSchema<typeof answers.recovery>
export type Stats = FromSchema<typeof answers.stats>
export type EventTypes = FromSchema<typeof answers.eventTypes>
