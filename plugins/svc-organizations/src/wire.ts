/** Types of what the routes of svc-organizations answer over HTTP, as they declare it. */
import type { FromSchema } from 'svc-kernel/schemas'
import type * as answers from './api/answers.ts'

export type Organization = FromSchema<typeof answers.organization>
export type OwnOrganizations = FromSchema<typeof answers.organizations>
export type OrganizationMembers = FromSchema<typeof answers.members>
export type OrganizationInvitations = FromSchema<typeof answers.invitations>
export type OrganizationKeyList = FromSchema<typeof answers.keys>
export type AllOrganizations = FromSchema<typeof answers.allOrganizations>
export type WholeOrganization = FromSchema<typeof answers.wholeOrganization>
export type OrganizationDomains = FromSchema<typeof answers.domains>
