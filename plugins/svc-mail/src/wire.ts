/** Types of what the outbox answers over HTTP, as its routes declare it. */
import type { FromSchema } from 'svc-kernel/schemas'
import type * as answers from './outbox/answers.ts'

export type MailList = FromSchema<typeof answers.mails>
export type Mail = FromSchema<typeof answers.mail>
