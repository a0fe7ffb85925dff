/** Audited actions of organisations, a part of the fixed list. */
import type { AuditCatalogueEntry } from 'svc-kernel/plugin'

export const organizationActions = {
  'organization.created': { category: 'config', outcomes: ['success'], when: 'an organisation was made' },
  'organization.renamed': {
    category: 'config',
    outcomes: ['success'],
    when: 'an organisation got another name or slug'
  },
  'organization.suspended': {
    category: 'config',
    outcomes: ['success'],
    when: 'an administrator suspended an organisation'
  },
  'organization.resumed': {
    category: 'config',
    outcomes: ['success'],
    when: 'an administrator resumed an organisation'
  },
  'organization.member_added': { category: 'config', outcomes: ['success'], when: 'a user became a member' },
  'organization.member_role': { category: 'config', outcomes: ['success'], when: 'a member got another role' },
  'organization.member_removed': { category: 'config', outcomes: ['success'], when: 'a member left or was removed' },
  'organization.member_deprovisioned': {
    category: 'config',
    outcomes: ['success'],
    when: 'provisioning switched a member off'
  },
  'organization.member_provisioned': {
    category: 'config',
    outcomes: ['success'],
    when: 'provisioning switched a member on again'
  },
  'organization.invited': {
    category: 'config',
    outcomes: ['success'],
    when: 'an address was invited to an organisation'
  },
  'organization.invitation_revoked': {
    category: 'config',
    outcomes: ['success'],
    when: 'an invitation to an organisation was revoked'
  },
  'organization.transfer_offered': {
    category: 'config',
    outcomes: ['success'],
    when: 'the ownership was offered to a member'
  },
  'organization.transfer_withdrawn': {
    category: 'config',
    outcomes: ['success'],
    when: 'the offer of the ownership was withdrawn'
  },
  'organization.transferred': { category: 'config', outcomes: ['success'], when: 'the ownership was transferred' },
  'organization.key_created': { category: 'config', outcomes: ['success'], when: 'an organisation got a key' },
  'organization.key_expires': {
    category: 'config',
    outcomes: ['success'],
    when: 'a key of an organisation was replaced, and is valid for a while'
  },
  'organization.key_revoked': {
    category: 'config',
    outcomes: ['success'],
    when: 'a key of an organisation was revoked'
  },
  'organization.domain_claimed': {
    category: 'config',
    outcomes: ['success'],
    when: 'an organisation claimed a domain'
  },
  'organization.domain_verified': {
    category: 'config',
    outcomes: ['success'],
    when: 'an organisation proved a domain'
  },
  'organization.domain_provider': {
    category: 'config',
    outcomes: ['success'],
    when: 'a proven domain required another provider, or none'
  },
  'organization.domain_lost': {
    category: 'config',
    outcomes: ['success'],
    when: 'the record that proved a domain was gone'
  },
  'organization.domain_removed': {
    category: 'config',
    outcomes: ['success'],
    when: 'an organisation gave a domain up'
  },
  'organization.deletion_requested': {
    category: 'config',
    outcomes: ['success'],
    when: 'an organisation is to be deleted once its days of grace are over'
  },
  'organization.deletion_cancelled': {
    category: 'config',
    outcomes: ['success'],
    when: 'the deletion of an organisation was cancelled'
  },
  'organization.exported': {
    category: 'config',
    outcomes: ['success'],
    when: 'the data of an organisation were downloaded'
  },
  'organization.deleted': {
    category: 'config',
    outcomes: ['success'],
    when: 'an organisation was removed with its data'
  }
} as const satisfies Readonly<Record<string, AuditCatalogueEntry>>
