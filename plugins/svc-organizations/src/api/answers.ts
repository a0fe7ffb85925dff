/** What the routes of organisations answer. */
import { flag, integer, integerOrNull, listOf, object, text, textOrNull, texts } from 'svc-kernel/schemas'

const organizationFields = {
  id: text,
  slug: text,
  name: text,
  state: { enum: ['active', 'suspended', 'closing'] },
  suspendedReason: textOrNull,
  deleteAt: integerOrNull,
  createdAt: integer
} as const

const memberFields = {
  id: text,
  userId: text,
  identifier: text,
  role: text,
  permissions: texts,
  active: flag,
  joinedAt: integer
} as const

const keyFields = {
  id: text,
  name: textOrNull,
  permissions: texts,
  createdAt: integer,
  expiresAt: integerOrNull,
  lastUsedAt: integerOrNull
} as const

export const done = object({ ok: flag })
export const organization = object(organizationFields)
export const organizations = object({
  organizations: listOf(object({ ...organizationFields, member: text, role: text, permissions: texts }))
})
export const allOrganizations = object({
  organizations: listOf(object({ ...organizationFields, members: integer })),
  hasNext: flag
})
/** Ids are those of memberships. */
export const wholeOrganization = object({
  ...organizationFields,
  members: integer,
  suspendedAt: integerOrNull,
  exportedAt: integerOrNull,
  transferFrom: textOrNull,
  transferTo: textOrNull,
  sections: {
    ...object({ invitations: flag, transfer: flag, deletion: flag, keys: flag, domains: flag }),
    description: 'which sections of the options are on'
  }
})
export const own = object({ ...organizationFields, role: textOrNull, permissions: texts })
export const roles = object({ roles: listOf(object({ name: text, permissions: texts })) })
export const member = object(memberFields)
export const members = object({ members: listOf(member), hasNext: flag })
export const invitations = object({
  invitations: listOf(
    object({ id: text, address: text, role: text, invitedBy: text, createdAt: integer, expiresAt: integer })
  )
})
export const joined = object({ organization: text, member: text, role: text })
export const transfer = object({ to: textOrNull })
export const going = object({ deleteAt: integer })
/** One key for each part of the data. */
export const archive = { type: 'object', additionalProperties: true } as const
export const domain = object({
  id: text,
  domain: text,
  verified: flag,
  checkedAt: integerOrNull,
  provider: textOrNull,
  record: object({ name: text, value: text })
})
export const domains = object({ domains: listOf(domain) })
export const signIn = object({ provider: textOrNull })
export const keys = object({ keys: listOf(object(keyFields)) })
export const newKey = object({ ...keyFields, token: text })
