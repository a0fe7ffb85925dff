/**
 * What stands in for the decorators of accounts where an application keeps none: reading one throws, and the
 * error names the options that switch it on.
 */
import type { FastifyInstance } from 'fastify'
import { decorateOff } from 'svc-kernel'
import { AccountsOff } from '../errors.ts'

const LOGINS = 'list session in an area, or give the option session, or parts.users'
const CREDENTIALS = 'list jwt or apikey in an area, or give the option jwt or apiKeys'

/** What switches each of them on. */
const FIXES = { sessions: LOGINS, tokens: CREDENTIALS, gates: LOGINS, userAccounts: LOGINS } as const

export function decorateAccountsOff(fastify: FastifyInstance): void {
  for (const [name, fix] of Object.entries(FIXES)) {
    decorateOff(fastify, name as keyof typeof FIXES, () => new AccountsOff(name, fix))
  }
}
