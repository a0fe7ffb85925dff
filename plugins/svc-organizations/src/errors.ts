/** Every error that svc-organizations raises. A published code never changes. */
import { createError } from '@fastify/error'
import { expectedError } from 'svc-kernel/plugin'

/** 404: no organisation has this id or slug, or the caller is not a member of it; the answer is the same. Fix: check the name. */
export const OrganizationNotFound = expectedError('SVC_ORG_NOT_FOUND', 'there is no such organisation', 404)

/** 403: the organisation is suspended. Fix: ask an administrator of the application to resume it. */
export const OrganizationSuspended = expectedError('SVC_ORG_SUSPENDED', 'the organisation is suspended', 403)

/** 403: the organisation is being deleted. Fix: an owner can cancel the deletion until its days of grace are over. */
export const OrganizationClosing = expectedError('SVC_ORG_CLOSING', 'the organisation is being deleted', 403)

/** 409: another organisation has this slug. Fix: choose another. */
export const SlugTaken = expectedError('SVC_ORG_SLUG', 'another organisation has this slug', 409)

/** 404: no member has this id. Fix: list the members. */
export const MemberNotFound = expectedError('SVC_ORG_MEMBER', 'there is no such member', 404)

/** 409: the user is a member already. Fix: change the role of the member. */
export const AlreadyMember = expectedError('SVC_ORG_ALREADY_MEMBER', 'this user is a member already', 409)

/** 400: the options declare no such role. Fix: use one of those that the message lists. */
export const UnknownRole = expectedError<[role: string, roles: string]>(
  'SVC_ORG_ROLE',
  'there is no role "%s"; expected one of: %s',
  400
)

/** 403: a role has permissions that the caller lacks. Fix: ask a member whose role has them. */
export const RoleAboveOwn = expectedError('SVC_ORG_ROLE_ABOVE', 'this role is above your own', 403)

/** 409: the last owner cannot leave or lose the role. Fix: transfer the ownership first. */
export const LastOwner = expectedError('SVC_ORG_LAST_OWNER', 'an organisation keeps at least one owner', 409)

/** 400: the link was used, is over or was replaced, or it was sent to another address than the proven one of this account. Fix: sign in with the account of the invited address, or ask for a new invitation. */
export const InvalidInvitation = expectedError(
  'SVC_ORG_INVITATION',
  'the invitation is not valid: it was used, it is over, or it was sent to another address than the proven one of this account',
  400
)

/** 404: no open invitation has this id. Fix: list the invitations. */
export const InvitationNotFound = expectedError('SVC_ORG_NO_INVITATION', 'there is no such invitation', 404)

/** 404: nobody offered the ownership to this member. Fix: have an owner offer it again. */
export const TransferNotFound = expectedError('SVC_ORG_NO_TRANSFER', 'no transfer of the ownership is open', 404)

/** 409: the user has as many organisations as `create.maxPerUser` allows. Fix: leave one, or raise the option. */
export const TooManyOrganizations = expectedError<[most: string]>(
  'SVC_ORG_LIMIT',
  'a user belongs to at most %s organisations',
  409
)

/** 409: the organisation has as many members and open invitations as `invitations.maxMembers` allows. Fix: remove some, or raise the option. */
export const TooManyMembers = expectedError<[most: string]>(
  'SVC_ORG_MEMBERS',
  'an organisation has at most %s members and open invitations',
  409
)

/** 403: only a person may do this, and the caller is a key or another machine. Fix: sign in. */
export const PersonNeeded = expectedError('SVC_ORG_PERSON', 'only a person may do this', 403)

/** thrown by `fastify.organizations`: a section of the options is off. Fix: write it. */
export const SectionOff = createError<[section: string]>(
  'SVC_ORG_OFF',
  'this is off; switch it on with svc-organizations: { %s: {} }',
  500,
  TypeError
)

/** thrown by `organizations.describe`: a part of the data has this name already. Fix: choose another. */
export const PartTaken = createError<[name: string]>(
  'SVC_ORG_PART',
  'a part of the data of organisations is named %s already',
  500,
  TypeError
)

/** recorded: the data of an organisation is larger than `deletion.maxBytes`. Fix: raise it, or export less in a part. */
export const ArchiveTooLarge = createError<[bytes: string, most: string]>(
  'SVC_ORG_EXPORT_SIZE',
  'the export has %s bytes, and deletion.maxBytes is %s',
  500
)

/** 404: the data of the organisation is not exported. Fix: ask again once the job has run. */
export const ArchiveNotFound = expectedError('SVC_ORG_NO_EXPORT', 'there is no export of this organisation', 404)

/** 404: no key of the organisation that is alive has this id. Fix: list the keys. */
export const KeyNotFound = expectedError('SVC_ORG_KEY', 'there is no such key', 404)

/** 403: a key is to get a permission that its maker lacks. Fix: leave it out, or ask a member who has it. */
export const PermissionAboveOwn = expectedError<[permission: string]>(
  'SVC_ORG_PERMISSION_ABOVE',
  'you do not have the permission "%s"',
  403
)

/** 400: what was given is no domain. Fix: write `example.org`. */
export const InvalidDomain = expectedError('SVC_ORG_DOMAIN', 'this is no domain; expected example.org', 400)

/** 409: the organisation has claimed the domain already, or another one has proven it. Fix: list the domains. */
export const DomainClaimed = expectedError('SVC_ORG_DOMAIN_CLAIMED', 'the domain is claimed already', 409)

/** 404: the organisation has no domain with this id. Fix: list the domains. */
export const DomainNotFound = expectedError('SVC_ORG_NO_DOMAIN', 'there is no such domain', 404)

/** 409: the TXT record of the domain is not there, or has another value. Fix: add the record that the list shows; it takes a while to be seen. */
export const DomainNotProven = expectedError('SVC_ORG_DOMAIN_PROOF', 'the TXT record of the domain was not found', 409)

/** 503: DNS did not answer. Fix: try again later. */
export const DomainLookupFailed = expectedError('SVC_ORG_DNS', 'DNS did not answer; try again later', 503)

/** 400: `domains.providers` does not list this provider. Fix: use one of those that the message lists. */
export const UnknownProvider = expectedError<[provider: string, providers: string]>(
  'SVC_ORG_PROVIDER',
  'there is no provider "%s"; expected one of: %s',
  400
)

/** 400: what was given is no mail address. Fix: write `name@example.org`. */
export const InvalidAddress = expectedError(
  'SVC_ORG_ADDRESS',
  'this is no mail address; expected name@example.org',
  400
)
