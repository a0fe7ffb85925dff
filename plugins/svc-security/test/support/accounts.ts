/** Users with passwords for tests, hashed once at the least cost that is allowed. */
import { hashPassword } from '../../src/password-hashes/argon2id.ts'

export const CHEAP = { memoryKib: 7168, passes: 1, parallelism: 1 }

export const ALICE_PASSWORD = 'correct horse'

export interface Account {
  identifier: string
  roles: string[]
  password?: string | null
  enabled?: boolean
  locked?: boolean
}

/** Look-ups by identifier over a map that a test may change while it runs. */
export class Accounts {
  readonly records = new Map<string, Account>()
  lookups = 0
  /** Thrown by every look-up while set. */
  failure: Error | null = null

  async findByIdentifier(identifier: string): Promise<Account | null> {
    this.lookups += 1
    if (this.failure !== null) throw this.failure
    return this.records.get(identifier) ?? null
  }

  add(account: Account): this {
    this.records.set(account.identifier, account)
    return this
  }

  get(identifier: string): Account {
    return this.records.get(identifier) as Account
  }
}

/** alice may log in; bob is locked, carol switched off, dave has no password. */
export async function someAccounts(): Promise<Accounts> {
  const password = await hashPassword(ALICE_PASSWORD, CHEAP)
  return new Accounts()
    .add({ identifier: 'alice', roles: ['ROLE_USER'], password })
    .add({ identifier: 'bob', roles: ['ROLE_USER'], password, locked: true })
    .add({ identifier: 'carol', roles: ['ROLE_USER'], password, enabled: false })
    .add({ identifier: 'dave', roles: ['ROLE_USER'], password: null })
}
