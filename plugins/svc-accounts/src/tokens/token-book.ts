/** Issues and redeems one-time tokens. A secret leaves in a mail alone: the store has its hash. */
import { hash } from 'node:crypto'
import type { Clock } from 'svc-kernel'
import type { JsonObject } from 'svc-stores'
import { newTokenSecret, tokenHash } from 'svc-stores/plugin'
import { InvalidToken } from '../errors.ts'
import type { TokenPurpose, TokenRecord, TokenStore } from './account-tokens.ts'

/** What a token is for, and whose it is. */
export interface NewToken {
  readonly purpose: TokenPurpose
  /** Of tokens with the same purpose and key, the newest holds. */
  readonly key: string
  readonly subject?: string
  readonly identifier?: string
  readonly address: string
  readonly data?: JsonObject
  readonly lifeMs: number
}

export interface TokenBookParts {
  readonly store: TokenStore
  readonly clock: Pick<Clock, 'now'>
}

export class TokenBook {
  readonly #parts: TokenBookParts

  constructor(parts: TokenBookParts) {
    this.#parts = parts
  }

  /** Stores a token without a secret, which `arm` gives it. @returns its id */
  async open(token: NewToken): Promise<string> {
    const record = this.#recordOf(token, null)
    await this.#parts.store.put(record)
    return record.id
  }

  find(id: string): Promise<TokenRecord | null> {
    return this.#parts.store.find(id)
  }

  /** Gives a stored token a new secret; the one before ends. @returns `null` where the token is gone or over */
  async arm(id: string): Promise<string | null> {
    const secret = newTokenSecret()
    return (await this.#parts.store.arm(id, tokenHash(secret))) === null ? null : secret
  }

  /** Stores a token. @returns its secret */
  async issue(token: NewToken): Promise<string> {
    const secret = newTokenSecret()
    await this.#parts.store.put(this.#recordOf(token, tokenHash(secret)))
    return secret
  }

  /**
   * Uses a token up, for work that it allows. The token is stored again if the work throws.
   *
   * @throws InvalidToken (400) for one that is unknown, used, over, replaced, or for something else
   */
  async redeem<T>(purpose: TokenPurpose, secret: string, work: (record: TokenRecord) => Promise<T>): Promise<T> {
    const record = await this.#parts.store.take(purpose, tokenHash(secret))
    if (record === null) throw new InvalidToken()
    try {
      return await work(record)
    } catch (error) {
      // Of the two, the first failure says more. A token that cannot be stored again is asked for again.
      await this.#parts.store.restore(record).catch(() => undefined)
      throw error
    }
  }

  /** Whether one was sent that has not been used and is not over. */
  async isOpen(purpose: TokenPurpose, key: string): Promise<boolean> {
    const found = await this.#parts.store.find(tokenId(purpose, key))
    return found !== null && found.expiresAt > this.#parts.clock.now()
  }

  list(purpose: TokenPurpose, limit: number): Promise<readonly TokenRecord[]> {
    return this.#parts.store.list(purpose, limit)
  }

  remove(id: string): Promise<boolean> {
    return this.#parts.store.remove(id)
  }

  /** Ends what is bound to a login name and its password. */
  endOf(identifier: string): Promise<void> {
    return this.#parts.store.endOf(identifier)
  }

  eraseOf(subject: string): Promise<void> {
    return this.#parts.store.eraseOf(subject)
  }

  purge(): Promise<number> {
    return this.#parts.store.purge()
  }

  #recordOf(token: NewToken, hashed: string | null): TokenRecord {
    const { purpose, key, subject = null, identifier = null, address, data = {}, lifeMs } = token
    const createdAt = this.#parts.clock.now()
    const id = tokenId(purpose, key)
    return { id, purpose, subject, identifier, address, hash: hashed, data, createdAt, expiresAt: createdAt + lifeMs }
  }
}

/** Says nothing of an address to who sees it in a list or a path. */
export function tokenId(purpose: TokenPurpose, key: string): string {
  return hash('sha256', `${purpose}\n${key}`, 'base64url')
}
