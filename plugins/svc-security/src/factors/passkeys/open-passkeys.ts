/** Opens passkeys from the options: their store, the challenges of browsers, their routes. */
import type { FastifyInstance } from 'fastify'
import { appHost } from 'svc-kernel'
import { securityApi } from '../../api/security-api.ts'
import type { FactorHost } from '../../login/factor-host.ts'
import type { SecurityConfig } from '../../options.ts'
import { guardedStore } from '../../stores/guarded-store.ts'
import type { LoadedUser } from '../../users/user-source.ts'
import type { UserStore } from '../../users/user-store.ts'
import type { ChallengeStores } from '../challenge-store.ts'
import { passkeyRoutes } from './passkey.routes.ts'
import { CHALLENGE_MS, PasskeyService } from './passkey-service.ts'
import { type PasskeysStore, passkeysStore } from './passkeys-store.ts'

export interface PasskeysSetting {
  readonly config: NonNullable<SecurityConfig['passkeys']>
  readonly ready: PasskeysStore | undefined
  readonly challenges: ChallengeStores
  readonly host: FactorHost
  /** `null` where the application keeps its users itself. */
  readonly users: Pick<UserStore, 'find'> | null
}

export function openPasskeys(
  fastify: FastifyInstance,
  { config, ready, challenges, host, users }: PasskeysSetting
): PasskeyService {
  const { store } = fastify.stores.select(passkeysStore, config.store, ready)
  const { rpId: id, rpName: name = appHost(fastify).name, origins } = config
  const passkeys = new PasskeyService(guardedStore(passkeysStore, store), { id, name, origins })
  const hasAnotherWay = async ({ id, passwordHash }: LoadedUser): Promise<boolean> => {
    if (users === null || passwordHash !== null) return true
    return ((await users.find(id))?.socialAccounts ?? []).length > 0
  }
  const routes = { passkeys, challenges: challenges('passkey', CHALLENGE_MS), host, hasAnotherWay }
  securityApi(fastify, (scope) => passkeyRoutes(scope, routes))
  return passkeys
}
