/** Access tokens of the framework, kept in memory: by their public identifier, with the SHA-256 of their secret. */
import { randomUUID } from 'node:crypto'
import { AccessToken } from '@adonisjs/auth/access_tokens'
import { findUser } from '../../../../test/dist/bench/peers/accounts.js'

const PREFIX = 'oat_'
const stored = new Map()

export const accessTokens = {
  async createUserForGuard(user) {
    return { getId: () => user.identifier, getOriginal: () => user }
  },

  async findById(identifier) {
    const user = findUser(identifier)
    return user === null ? null : this.createUserForGuard({ ...user })
  },

  async createToken(user, abilities, { expiresIn }) {
    const { secret, hash, expiresAt } = AccessToken.createTransientToken(user.identifier, 40, expiresIn)
    const now = new Date()
    const attributes = {
      identifier: randomUUID(),
      tokenableId: user.identifier,
      type: 'auth_token',
      name: 'bench',
      hash,
      abilities,
      expiresAt,
      createdAt: now,
      updatedAt: now,
      lastUsedAt: null
    }
    stored.set(attributes.identifier, attributes)
    return new AccessToken({ ...attributes, prefix: PREFIX, secret })
  },

  async verifyToken(value) {
    const decoded = AccessToken.decode(PREFIX, value.release())
    const attributes = decoded === null ? undefined : stored.get(decoded.identifier)
    if (attributes === undefined) return null
    const token = new AccessToken(attributes)
    return token.verify(decoded.secret) && !token.isExpired() ? token : null
  }
}
