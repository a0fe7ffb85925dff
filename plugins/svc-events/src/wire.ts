/** Types of what the portal's page is told, and what its routes answer. */
import type { FromSchema } from 'svc-kernel/schemas'
import type * as answers from './answers.ts'

export type { PortalPage } from './portal/page-document.ts'
export type { PortalTexts } from './portal/texts-en.ts'
export type PortalSession = FromSchema<typeof answers.session>
export type PortalEntered = FromSchema<typeof answers.entered>
export type PortalKeys = FromSchema<typeof answers.keys>
export type PortalNewKey = FromSchema<typeof answers.newKey>
export type PortalEventTypes = FromSchema<typeof answers.eventTypes>
