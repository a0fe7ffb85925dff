/** A guard for signed tokens, of the shape that the framework's documentation gives such a guard. */
import { errors } from '@adonisjs/auth'
import jwt from 'jsonwebtoken'
import { bearerOf, userOfClaims } from '../../../../test/dist/bench/peers/accounts.js'

export class JwtGuard {
  driverName = 'jwt'
  authenticationAttempted = false
  isAuthenticated = false
  user
  #ctx
  #secret

  constructor(ctx, secret) {
    this.#ctx = ctx
    this.#secret = secret
  }

  async authenticate() {
    if (this.authenticationAttempted) return this.getUserOrFail()
    this.authenticationAttempted = true
    this.user = this.#userOf(bearerOf(this.#ctx.request.header('authorization'))) ?? undefined
    this.isAuthenticated = this.user !== undefined
    return this.getUserOrFail()
  }

  async check() {
    try {
      await this.authenticate()
      return true
    } catch {
      return false
    }
  }

  getUserOrFail() {
    if (this.user !== undefined) return this.user
    throw new errors.E_UNAUTHORIZED_ACCESS('Unauthorized access', { guardDriverName: this.driverName })
  }

  #userOf(token) {
    if (token === null) return null
    try {
      return userOfClaims(jwt.verify(token, this.#secret, { algorithms: ['HS256'] }))
    } catch {
      return null
    }
  }
}
