/**
 * svc-accounts: the life of an account: sign-up, proof of its address, reset, change of address, invitation, export, deletion.
 *
 * Decorates  fastify.accounts
 * Hooks      none of its own. onReady: starts the purge of tokens; onClose: stops it
 * Needs      svc-security and svc-mail, once a flow is on (svc-limits is added when absent)
 */
import type { FastifyPluginAsync } from 'fastify'
import { definePlugin, ensureKernel, readOptions, systemClock } from 'svc-kernel'
import { Accounts } from './accounts.ts'
import { invitationRoutes } from './api/invitations.routes.ts'
import { openRoutes } from './api/open.routes.ts'
import { ownRoutes } from './api/own.routes.ts'
import { DataParts } from './flows/data-parts.ts'
import { openFlows } from './open-flows.ts'
import { type AccountsConfig, FLOWS, optionsSchema, type SvcAccountsOptions, type SvcAccountsParts } from './options.ts'
import { pageRoutes } from './pages/pages.routes.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** Present if svc-accounts is registered. */
    accounts: Accounts
  }
}

const accounts: FastifyPluginAsync<SvcAccountsOptions & { parts?: SvcAccountsParts }> = async (fastify, given) => {
  await ensureKernel(fastify)
  const config = readOptions<AccountsConfig>('svc-accounts', optionsSchema, given)
  const { parts = {} } = given
  const { clock = systemClock } = parts
  const data = new DataParts()
  if (FLOWS.every((flow) => config[flow] === undefined)) {
    fastify.decorate('accounts', new Accounts({}, data, null))
    return
  }
  const { flows, records } = await openFlows(fastify, { config, parts, clock, data })
  const service = new Accounts(flows, data, records)
  fastify.decorate('accounts', service)
  openRoutes(fastify, service, config)
  ownRoutes(fastify, service, config, fastify.gates)
  if (config.pages !== undefined) pageRoutes(fastify, config.pages.path, config)
  if (config.invitations !== undefined) invitationRoutes(fastify, service, fastify.gates)
}

export default definePlugin(accounts, {
  name: 'svc-accounts',
  optionsSchema,
  after: ['svc-stores', 'svc-docdb', 'svc-sqlorm', 'svc-audit', 'svc-security', 'svc-limits', 'svc-jobs', 'svc-mail']
})

export type { AccountState, Accounts } from './accounts.ts'
export type { DataPart, DataSubject } from './flows/data-parts.ts'
export type { InvitationView, NewInvitation } from './flows/invitation.ts'
export type { NewSignUp, Redemption } from './flows/sign-up.ts'
export type { MailData, MailKind, MailOf } from './mails/account-mails.ts'
export type { MailText, Texts } from './mails/texts.ts'
export type { SvcAccountsOptions, SvcAccountsParts } from './options.ts'
