/**
 * The fixed list of audited actions, published at docs/reference/audit.md; a test compares both. The journal refuses
 * an action that is not listed here.
 */
import type { AuditRecord } from 'svc-kernel'
import type { AuditCatalogueEntry } from 'svc-kernel/plugin'
import { nearestName } from 'svc-kernel/plugin'
import { organizationActions } from './organization-actions.ts'

/** What the catalogue says of an action: its category, its possible outcomes, and when it is recorded. */
export type CatalogueEntry = AuditCatalogueEntry

const entries = {
  'login.success': { category: 'auth', outcomes: ['success'], when: 'a person logged in' },
  'login.failure': { category: 'auth', outcomes: ['failure'], when: 'a login was refused, with its actual reason' },
  'login.throttled': {
    category: 'auth',
    outcomes: ['failure'],
    when: 'a login was throttled after failed ones',
    provoked: 'submitted'
  },
  'login.mfa_required': {
    category: 'auth',
    outcomes: ['success'],
    when: 'the first factor was accepted, the second one is due'
  },
  logout: { category: 'auth', outcomes: ['success'], when: 'a person logged out' },
  'auth.failure': {
    category: 'auth',
    outcomes: ['failure'],
    when: 'a request had an invalid credential',
    provoked: 'submitted'
  },
  'auth.denied': {
    category: 'auth',
    outcomes: ['denied'],
    when: 'a request to a zone had no credential',
    provoked: 'submitted'
  },
  'auth.throttled': {
    category: 'auth',
    outcomes: ['failure'],
    when: 'a credential was throttled after failed ones',
    provoked: 'submitted'
  },
  'access.denied': {
    category: 'authz',
    outcomes: ['denied'],
    when: 'a guard refused the caller',
    provoked: 'proven'
  },
  'limit.exceeded': {
    category: 'authz',
    outcomes: ['denied'],
    when: 'a rate limit refused a caller, once per caller and period',
    provoked: 'proven'
  },
  'tool.called': {
    category: 'authz',
    outcomes: ['success', 'denied', 'failure'],
    when: 'a program called a tool for a caller; names both',
    provoked: 'proven'
  },
  'token.issued': { category: 'token', outcomes: ['success'], when: 'access and refresh tokens were issued' },
  'token.refreshed': { category: 'token', outcomes: ['success'], when: 'a refresh token was rotated' },
  'token.revoked': { category: 'token', outcomes: ['success'], when: 'a token was revoked' },
  'token.reuse_detected': {
    category: 'token',
    outcomes: ['denied'],
    when: 'a refresh token was used twice; its family is revoked'
  },
  'apikey.created': { category: 'token', outcomes: ['success'], when: 'an API key was created' },
  'apikey.revoked': { category: 'token', outcomes: ['success'], when: 'an API key was revoked' },
  'apikey.expires': {
    category: 'token',
    outcomes: ['success'],
    when: 'an API key was replaced, and is valid for a while'
  },
  'session.opened': { category: 'session', outcomes: ['success'], when: 'a session was opened at login' },
  'session.destroyed': {
    category: 'session',
    outcomes: ['success'],
    when: 'a session ended by logout, by another login in its browser, or by expiry'
  },
  'session.revoked': { category: 'session', outcomes: ['success'], when: 'a session was ended by someone else' },
  'passkey.registered': { category: 'webauthn', outcomes: ['success'], when: 'a passkey was registered' },
  'passkey.renamed': { category: 'webauthn', outcomes: ['success'], when: 'a passkey got another name' },
  'passkey.removed': { category: 'webauthn', outcomes: ['success'], when: 'a passkey was removed' },
  'oauth.linked': { category: 'oauth', outcomes: ['success'], when: 'an account of a provider was linked to a user' },
  'oauth.logout': { category: 'oauth', outcomes: ['success'], when: 'a provider ended the sessions that began at it' },
  'oauth.unlinked': {
    category: 'oauth',
    outcomes: ['success'],
    when: 'an account of a provider was unlinked by its user'
  },
  'oauth.failure': {
    category: 'oauth',
    outcomes: ['failure'],
    when: 'a login at a provider failed',
    provoked: 'submitted'
  },
  'csrf.rejected': {
    category: 'csrf',
    outcomes: ['denied'],
    when: 'a page of another origin tried to change something',
    provoked: 'proven'
  },
  'cors.rejected': {
    category: 'cors',
    outcomes: ['denied'],
    when: 'a preflight request was refused',
    provoked: 'submitted'
  },
  'frame.denied': {
    category: 'ws',
    outcomes: ['denied'],
    when: 'a WebSocket message was refused',
    provoked: 'proven'
  },
  'origin.rejected': {
    category: 'ws',
    outcomes: ['denied'],
    when: 'a page of another origin tried to open a WebSocket',
    provoked: 'proven'
  },
  'webhook.created': { category: 'webhook', outcomes: ['success'], when: 'an endpoint was registered' },
  'webhook.updated': { category: 'webhook', outcomes: ['success'], when: 'an endpoint was changed' },
  'webhook.deleted': { category: 'webhook', outcomes: ['success'], when: 'an endpoint was deleted' },
  'webhook.rotated': { category: 'webhook', outcomes: ['success'], when: 'the secret of an endpoint was replaced' },
  'webhook.revealed': { category: 'webhook', outcomes: ['success'], when: 'the secret of an endpoint was shown' },
  'webhook.disabled': {
    category: 'webhook',
    outcomes: ['failure'],
    when: 'an endpoint failed too often, or is gone (410), and was disabled'
  },
  'webhook.test': {
    category: 'webhook',
    outcomes: ['success'],
    when: 'an administrator sent a test message, or a recorded message again'
  },
  'config.update': {
    category: 'config',
    outcomes: ['success', 'failure'],
    when: 'a setting changed at run time, such as the key set on disk, or could not be taken over'
  },
  'process.failure': {
    category: 'config',
    outcomes: ['failure'],
    when: 'an error was not handled; the process stops'
  },
  'secrets.resealed': {
    category: 'config',
    outcomes: ['success', 'failure'],
    when: 'stored secrets were encrypted again under the first key of a list; a failure left some that no key opens'
  },
  'user.created': { category: 'config', outcomes: ['success'], when: 'a user was created' },
  'user.roles': { category: 'config', outcomes: ['success'], when: 'the roles of a user were replaced' },
  'user.self_granted': {
    category: 'config',
    outcomes: ['success'],
    when: 'an administrator gained a role by changing their own roles'
  },
  'user.locked': { category: 'config', outcomes: ['success'], when: 'a user was locked' },
  'user.unlocked': { category: 'config', outcomes: ['success'], when: 'a user was unlocked' },
  'user.password': { category: 'config', outcomes: ['success'], when: 'the password of a user was replaced' },
  'user.totp_removed': {
    category: 'config',
    outcomes: ['success'],
    when: 'an administrator removed the one-time codes of a user'
  },
  'impersonation.begun': { category: 'auth', outcomes: ['success'], when: 'a session began to act as another user' },
  'impersonation.ended': { category: 'auth', outcomes: ['success'], when: 'a session ceased to act as another user' },
  'user.enabled': { category: 'config', outcomes: ['success'], when: 'a user was switched on' },
  'user.disabled': { category: 'config', outcomes: ['success'], when: 'a user was switched off' },
  'user.renamed': { category: 'config', outcomes: ['success'], when: 'the identifier of a user was changed' },
  'user.deleted': { category: 'config', outcomes: ['success'], when: 'a user was deleted' },
  'account.verified': {
    category: 'config',
    outcomes: ['success'],
    when: 'a sign-up was completed, or its address proven'
  },
  'account.reset': {
    category: 'config',
    outcomes: ['success'],
    when: 'a user set a new password by the link of a reset'
  },
  'account.address_changed': {
    category: 'config',
    outcomes: ['success'],
    when: 'a user changed the address of the account'
  },
  'account.address_restored': {
    category: 'config',
    outcomes: ['success'],
    when: 'the owner of the former address undid its change'
  },
  'account.invited': { category: 'config', outcomes: ['success'], when: 'an address was invited to open an account' },
  'account.invitation_revoked': { category: 'config', outcomes: ['success'], when: 'an invitation was revoked' },
  'account.accepted': { category: 'config', outcomes: ['success'], when: 'an invitation was accepted' },
  'account.deletion_requested': {
    category: 'config',
    outcomes: ['success'],
    when: 'a user had the own account deleted once its days of grace are over'
  },
  'account.deletion_cancelled': {
    category: 'config',
    outcomes: ['success'],
    when: 'a user cancelled the deletion of the account'
  },
  'account.export_requested': { category: 'config', outcomes: ['success'], when: 'a user asked for the own data' },
  'account.exported': { category: 'config', outcomes: ['success'], when: 'a user downloaded the own data' },
  ...organizationActions,
  'job.run': { category: 'config', outcomes: ['success'], when: 'an administrator had a job run' },
  'job.retried': { category: 'config', outcomes: ['success'], when: 'an administrator had a job run again' },
  'job.cancelled': { category: 'config', outcomes: ['success'], when: 'an administrator cancelled a job' },
  'job.redriven': {
    category: 'config',
    outcomes: ['success'],
    when: 'an administrator had jobs run again that failed or are parked'
  },
  'lane.paused': { category: 'config', outcomes: ['success'], when: 'an administrator paused a lane of jobs' },
  'lane.resumed': { category: 'config', outcomes: ['success'], when: 'an administrator resumed a lane of jobs' },
  'schedule.paused': { category: 'config', outcomes: ['success'], when: 'an administrator paused a schedule' },
  'schedule.resumed': { category: 'config', outcomes: ['success'], when: 'an administrator resumed a schedule' },
  'schedule.run': {
    category: 'config',
    outcomes: ['success'],
    when: 'an administrator had the job of a schedule run outside of its slots'
  },
  'data.viewed': { category: 'authz', outcomes: ['success'], when: 'an administrator looked at rows of an entity' },
  'data.changed': {
    category: 'config',
    outcomes: ['success'],
    when: 'an administrator created, changed or deleted a row of an entity'
  },
  'data.crossed': {
    category: 'authz',
    outcomes: ['success'],
    when: 'work ran across the scopes of rows, with the reason that it gave'
  }
} as const satisfies Readonly<Record<string, CatalogueEntry>>

/** Name of an action, such as `auth.login`; `docs/reference/audit.md` lists them. */
export type AuditAction = keyof typeof entries
/** Group of actions, for filters and listeners. */
export type AuditCategory = (typeof entries)[AuditAction]['category']

/** Every action that can be recorded. */
export const CATALOGUE: ReadonlyMap<string, CatalogueEntry> = new Map(Object.entries(entries))

/** Names of all actions that the journal records; it refuses any other. */
export const ACTIONS: readonly AuditAction[] = Object.freeze(Object.keys(entries) as AuditAction[])

/** All categories, in the order of the catalogue. */
export const CATEGORIES: readonly AuditCategory[] = Object.freeze([
  ...new Set(Object.values(entries).map(({ category }) => category))
])

/** @returns one sentence that says what is wrong with a record; `null` if it is in the catalogue */
export function recordFault({ action, category, outcome }: AuditRecord): string | null {
  const entry = CATALOGUE.get(action)
  if (entry === undefined) {
    const near = typeof action === 'string' && action.length <= 64 ? nearestName(action, ACTIONS) : undefined
    return `the action is not in the catalogue${near === undefined ? '' : ` (did you mean ${near}?)`}`
  }
  if (entry.category !== category) return `the category of ${action} is ${entry.category}`
  if (!entry.outcomes.includes(outcome)) return `the outcome of ${action} is ${entry.outcomes.join(' or ')}`
  return null
}
