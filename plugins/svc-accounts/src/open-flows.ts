/** Opens the flows that are on, over the stores and plugins that they need; what is missing ends the boot. */
import type { FastifyInstance } from 'fastify'
import { BootError, type Clock, currentRequest, decoratorOf, type Problem } from 'svc-kernel'
import { readableError } from 'svc-kernel/plugin'
import svcLimits from 'svc-limits'
import { ensureStores, type StoreDefinition } from 'svc-stores'
import type { Flows } from './accounts.ts'
import { AddressChange } from './flows/address-change.ts'
import { DataExport } from './flows/data-export.ts'
import type { DataParts } from './flows/data-parts.ts'
import { Deletion } from './flows/deletion.ts'
import { ADDRESS_LIMIT, type FlowParts, localeOf } from './flows/flow-parts.ts'
import { Invitations } from './flows/invitation.ts'
import { PasswordReset } from './flows/password-reset.ts'
import { SignUp } from './flows/sign-up.ts'
import { AccountMails } from './mails/account-mails.ts'
import type { AccountsConfig, SvcAccountsParts } from './options.ts'
import { accountStore } from './records/account-store.ts'
import { accountTokenStore, type TokenPurpose } from './tokens/account-tokens.ts'
import { TokenBook } from './tokens/token-book.ts'

const PURGE_INTERVAL_S = 600

export interface FlowsSetting {
  readonly config: AccountsConfig
  readonly parts: SvcAccountsParts
  readonly clock: Clock
  readonly data: DataParts
}

export interface OpenedFlows {
  readonly flows: Flows
  readonly records: FlowParts['records']
}

/** @throws BootError with every problem */
export async function openFlows(fastify: FastifyInstance, setting: FlowsSetting): Promise<OpenedFlows> {
  const { config, parts, clock, data } = setting
  const missing = needsProblems(fastify)
  if (missing.length > 0) throw new BootError(missing)
  const { userAccounts: users, jobs, mail } = fastify
  const link = parts.link ?? linkTo(config.link)
  const mails = new AccountMails({
    mail,
    mails: parts.mails ?? {},
    texts: parts.texts ?? {},
    link,
    locale: config.locale
  })
  const problems = optionProblems(fastify, setting, mails)
  if (problems.length > 0) throw new BootError(problems)
  await ensureStores(fastify, { clock })
  if (!fastify.hasDecorator('limits')) await fastify.register(svcLimits, { parts: { clock } })
  const { limits } = fastify
  limits.define(ADDRESS_LIMIT, { rate: config.limits.perAddress }, 'svc-accounts.limits.perAddress')
  const records = openStore(fastify, accountStore, config.store, parts.stores?.accounts)
  const book = new TokenBook({
    store: openStore(fastify, accountTokenStore, config.store, parts.stores?.accountTokens),
    clock
  })
  const { rights } = fastify.gates
  const log = fastify.log.child({ plugin: 'svc-accounts' })
  const shared: FlowParts = {
    config,
    users,
    book,
    records,
    mails,
    jobs,
    limits,
    clock,
    rights,
    log,
    audit: auditOf(fastify)
  }
  const reset = config.reset && new PasswordReset(shared, config.reset)
  const flows: Flows = {
    ...(config.signUp && { signUp: new SignUp(shared, config.signUp) }),
    ...(reset && { reset }),
    ...(config.changeAddress && { changeAddress: new AddressChange(shared, config.changeAddress, reset ?? null) }),
    ...(config.invitations && { invitations: new Invitations(shared, config.invitations) }),
    ...(config.deletion && { deletion: new Deletion(shared, config.deletion, data) }),
    ...(config.export && { export: new DataExport(shared, config.export, data) })
  }
  describeAccount(fastify, data, records)
  fastify.userEndings.add(async ({ identifier, reason }) => {
    if (reason === 'password') void tellPassword(shared, identifier)
    await book.endOf(identifier)
  })
  const { brick } = accountTokenStore
  const work = () => book.purge()
  fastify.maintenance.declare({ name: 'account-tokens', store: brick, everyS: PURGE_INTERVAL_S, clock, work })
  return { flows, records }
}

/** What this package and svc-security have of a user. Both go with the user, so nothing is left to erase. */
function describeAccount(fastify: FastifyInstance, data: DataParts, records: FlowParts['records']): void {
  const { userAccounts, sessions } = fastify
  data.add('account', {
    export: async ({ id }) => {
      const [user, record] = await Promise.all([userAccounts.get(id), records.find(id)])
      return user && { ...user, verifiedAt: record?.verifiedAt ?? null, locale: record?.locale ?? null }
    }
  })
  data.add('sessions', {
    export: async ({ identifier: user }) => {
      const { items } = await sessions.list({ user }, { limit: 1000, order: [['updatedAt', 'DESC']] })
      return items.map(({ meta: { ip = null, userAgent = null }, createdAt, updatedAt }) => {
        return { ip, userAgent, createdAt, updatedAt }
      })
    }
  })
}

/** The change is made, whether or not its owner can be told now. */
async function tellPassword({ users, records, mails, log }: FlowParts, identifier: string): Promise<void> {
  try {
    const user = await users.find(identifier)
    if (user === null) return
    await mails.send('password', { to: identifier, locale: await localeOf({ records }, user.id) })
  } catch (error) {
    const said = { code: 'SVC_ACCOUNTS_NOTICE', error: readableError(error) }
    log.error(said, 'the owner of an account could not be told that its password was changed')
  }
}

function auditOf(fastify: FastifyInstance): FlowParts['audit'] {
  return (action, resource, metadata = {}) => {
    const request = currentRequest()
    decoratorOf(fastify, 'audit')?.record({
      category: 'config',
      action,
      outcome: 'success',
      actor: request?.user?.identifier ?? null,
      resource,
      ip: request?.ip ?? null,
      userAgent: request?.headers['user-agent'] ?? null,
      requestId: request?.id ?? null,
      metadata
    })
  }
}

function openStore<Store extends object>(
  { stores }: FastifyInstance,
  definition: StoreDefinition<Store>,
  configured: string,
  ready: Store | undefined
): Store {
  const { store } = stores.select(definition, configured, ready)
  if (store !== null) return store
  throw new BootError([
    {
      code: 'SVC_ACCOUNTS_NO_STORE',
      message: `${definition.brick} cannot be stored: no driver of this name is registered`,
      at: 'svc-accounts.store',
      got: configured,
      expected: 'auto | memory | a driver that comes before svc-accounts',
      fix: "register the driver before svc-accounts, or set store: 'auto'"
    }
  ])
}

function needsProblems(fastify: FastifyInstance): Problem[] {
  const needed = [
    [
      'svc-security',
      'userAccounts',
      "[svcSecurity, { areas: { api: { pattern: '^/api', authenticators: ['session'] } } }]"
    ],
    ['svc-mail', 'mail', "[svcMail, { from: 'Shop <shop@example.org>' }]"]
  ] as const
  return needed.flatMap(([plugin, decorator, fix]) => {
    if (decoratorOf(fastify, decorator) !== null) return []
    const problem = { code: 'SVC_ACCOUNTS_NEEDS', message: `the flows of accounts need ${plugin}`, at: 'svc-accounts' }
    return [{ ...problem, got: 'a flow that is on', expected: `${plugin} before svc-accounts`, fix }]
  })
}

function optionProblems(
  fastify: FastifyInstance,
  { config, parts }: FlowsSetting,
  mails: Pick<AccountMails, 'speaks'>
): Problem[] {
  const problems: Problem[] = []
  const { driver } = fastify.userAccounts
  if (driver === null || driver === 'application') {
    problems.push({
      code: 'SVC_ACCOUNTS_USERS',
      message: 'the flows of accounts need users that svc-security keeps',
      at: 'svc-security.users',
      got: driver === null ? 'no store' : 'users of the application',
      expected: 'the store of svc-security',
      fix: 'leave out users.entity and parts.users of svc-security, or every flow of svc-accounts'
    })
  }
  if (parts.link === undefined && !isLink(config.link)) {
    problems.push({
      code: 'SVC_ACCOUNTS_LINK',
      message: 'mails need the URL of your pages',
      at: 'svc-accounts.link',
      got: JSON.stringify(config.link) ?? 'nothing',
      expected: 'an http or https URL without a fragment and a query',
      fix: "link: 'https://shop.example.org/account'"
    })
  }
  if (!mails.speaks(config.locale)) {
    problems.push({
      code: 'SVC_ACCOUNTS_LOCALE',
      message: 'mails have no texts in this language',
      at: 'svc-accounts.locale',
      got: config.locale,
      expected: 'en | de | a key of parts.texts',
      fix: "locale: 'en'"
    })
  }
  return problems
}

function isLink(given: string | undefined): boolean {
  if (given === undefined || !URL.canParse(given)) return false
  const { protocol, hash, search } = new URL(given)
  return (protocol === 'https:' || protocol === 'http:') && hash === '' && search === ''
}

/** A fragment leaves no browser: it is in no log and no `Referer`. */
function linkTo(base = ''): (purpose: TokenPurpose, token: string) => string {
  return (purpose, token) => `${base.replace(/\/+$/, '')}/${purpose}#${token}`
}
