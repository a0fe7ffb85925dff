/** What every flow stands on, and what their accounts have in common. */
import type { FastifyBaseLogger } from 'fastify'
import type { Jobs } from 'svc-jobs'
import type { Clock } from 'svc-kernel'
import type { RightsPort } from 'svc-kernel/plugin'
import type { Limits } from 'svc-limits'
import type { AccountView, UserAccounts } from 'svc-security'
import { InvalidToken } from '../errors.ts'
import type { AccountMails } from '../mails/account-mails.ts'
import type { AccountsConfig, Flow } from '../options.ts'
import type { AccountStore } from '../records/account-store.ts'
import type { TokenRecord } from '../tokens/account-tokens.ts'
import type { TokenBook } from '../tokens/token-book.ts'

export interface FlowParts {
  readonly config: AccountsConfig
  readonly users: UserAccounts
  readonly book: TokenBook
  readonly records: AccountStore
  readonly mails: AccountMails
  readonly jobs: Jobs
  readonly limits: Limits
  readonly clock: Clock
  readonly rights: Pick<RightsPort, 'checkLeaving'>
  readonly log: FastifyBaseLogger
  /** Records what happened to an account. */
  readonly audit: (action: string, resource: string, metadata?: Readonly<Record<string, unknown>>) => void
}

/** The section of a flow that is on. */
export type SectionOf<Name extends Flow> = NonNullable<AccountsConfig[Name]>

/** The limit of mails that strangers can cause to one address. */
export const ADDRESS_LIMIT = 'svc.accounts.address'

/**
 * Whether one more mail may go to an address: it depends on how often it was named, and never on whether it has an
 * account.
 */
export async function mayMail({ limits }: Pick<FlowParts, 'limits'>, address: string): Promise<boolean> {
  return (await limits.take(ADDRESS_LIMIT, address)).taken
}

/** Such an account, unless it may not act. */
export async function usableUser({ users }: Pick<FlowParts, 'users'>, identifier: string): Promise<AccountView | null> {
  const user = await users.find(identifier)
  return user?.enabled === true && !user.locked ? user : null
}

/** The account of a token. @throws InvalidToken where it is gone, may not act, or has another login name by now */
export async function accountOf({ users }: Pick<FlowParts, 'users'>, { subject, identifier }: TokenRecord) {
  const user = subject === null ? null : await users.get(subject)
  if (user === null || !user.enabled || user.locked) throw new InvalidToken()
  if (identifier !== null && user.identifier !== identifier) throw new InvalidToken()
  return user
}

/** The language of an account. */
export async function localeOf({ records }: Pick<FlowParts, 'records'>, user: string): Promise<string | null> {
  return (await records.find(user))?.locale ?? null
}

/**
 * Defines the job of a flow. Its body names people, and goes once the job is done.
 *
 * @param fields of the body, texts all @param unique while a job with this body has not ended, another is not added
 */
export function defineFlowJob<Field extends string>(
  { jobs }: Pick<FlowParts, 'jobs'>,
  name: string,
  fields: readonly Field[],
  work: (body: Readonly<Record<Field, string>>) => Promise<void>,
  unique = false
): void {
  const properties = Object.fromEntries(fields.map((field) => [field, { type: 'string' }]))
  const body = { type: 'object', additionalProperties: false, required: fields, properties }
  const options = { body, keepBody: false, ...(unique ? { unique: true as const } : {}) }
  jobs.define(name, options, (given) => work(given as unknown as Readonly<Record<Field, string>>))
}

export const HOUR_MS = 3_600_000
export const DAY_MS = 24 * HOUR_MS
