/** Opens logins: the service that every way in uses, `fastify.userAccounts`, what factors stand on, the routes of a browser. */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { securityApi } from '../api/security-api.ts'
import { type CsrfGuard, csrfGate, pageGate } from '../cross-origin/csrf-guard.ts'
import type { SessionService } from '../sessions/session-service.ts'
import type { UserAccountsParts } from '../users/account.ts'
import type { OpenUsers } from '../users/open-users.ts'
import { UserAccounts } from '../users/user-accounts.ts'
import { authRoutes } from './auth.routes.ts'
import { type FactorHost, signedInUser } from './factor-host.ts'
import { type LoginParts, LoginService } from './login-service.ts'
import { type Grants, ownAccountRoutes } from './own-account.routes.ts'
import { type OwnProofParts, ownProofGates, type ProofSetting } from './recent-proof.ts'

export interface LoginSetting extends LoginParts, OpenUsers, Pick<UserAccountsParts, 'checkRoles'> {
  readonly passwords: OpenUsers['passwords']
  readonly sessions: SessionService
  readonly csrf: CsrfGuard
  readonly grants: Grants
  readonly proof: ProofSetting & Pick<OwnProofParts, 'refusalOf' | 'mustShow'>
}

export interface OpenLogin {
  readonly login: LoginService
  readonly host: FactorHost
}

/** Decorates `fastify.userAccounts` and `fastify.signInRules`. */
export function openLogin(fastify: FastifyInstance, setting: LoginSetting): OpenLogin {
  const { users, sessions, throttler, journal, clock, csrf } = setting
  const login = new LoginService(setting)
  fastify.decorate('userAccounts', new UserAccounts({ ...setting, source: users, login }))
  fastify.decorate('signInRules', login)
  const userOf = (request: FastifyRequest) => signedInUser(request, host)
  const host: FactorHost = {
    sessions,
    users,
    throttler,
    journal,
    clock,
    csrf: csrfGate(csrf),
    page: pageGate(csrf),
    isStillOpen: async (request) => {
      const session = await sessions.resume(request)
      return session !== null && (await sessions.again(session.id, false, request)) !== null
    },
    ...ownProofGates({ sessions, userOf, ...setting.proof, setting: setting.proof }),
    login
  }
  securityApi(fastify, (scope) => {
    authRoutes(scope, { login, sessions, journal, host })
    ownAccountRoutes(scope, { ...setting, login, host })
  })
  return { login, host }
}
