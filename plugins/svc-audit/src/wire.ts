/** Types of what the journal answers over HTTP, as its routes declare it. */
import type { FromSchema } from 'svc-kernel/schemas'
import type * as answers from './answers.ts'

export type AuditEvent = FromSchema<typeof answers.auditEvent>
export type AuditEvents = FromSchema<typeof answers.auditEvents>
export type Catalogue = FromSchema<typeof answers.catalogue>
