/** Types of what the routes of svc-accounts answer over HTTP, as they declare it. */
import type { FromSchema } from 'svc-kernel/schemas'
import type * as answers from './api/answers.ts'

export type Account = FromSchema<typeof answers.state>
export type Deletion = FromSchema<typeof answers.going>
export type Invitations = FromSchema<typeof answers.invitations>
