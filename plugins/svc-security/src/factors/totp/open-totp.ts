/** Opens one-time codes from the options: their store, the box in which their secrets rest, their routes. */
import { randomBytes } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { appHost, BootError, type Clock, inProduction } from 'svc-kernel'
import { developmentSecret, SecretBox } from 'svc-kernel/plugin'
import { resealAtStart } from 'svc-stores/plugin'
import { securityApi } from '../../api/security-api.ts'
import type { FactorHost } from '../../login/factor-host.ts'
import type { LoginService } from '../../login/login-service.ts'
import type { TotpConfig } from '../../options.ts'
import { guardedStore } from '../../stores/guarded-store.ts'
import { totpRoutes } from './totp.routes.ts'
import { TOTP_CONTEXT, TotpService } from './totp-service.ts'
import { type TotpStore, totpStore } from './totp-store.ts'

export interface TotpSetting {
  readonly config: TotpConfig
  readonly ready: TotpStore | undefined
  readonly clock: Clock
  readonly login: Pick<LoginService, 'addFactor'>
  readonly host: FactorHost
}

/**
 * A second factor of every login, by its routes and `login`.
 *
 * @throws BootError (SVC_SEC_TOTP_KEY) without a key in production, and with a key that is none
 */
export function openTotp(fastify: FastifyInstance, { config, ready, clock, login, host }: TotpSetting): TotpService {
  const { store } = fastify.stores.select(totpStore, config.store, ready)
  const issuer = config.issuer ?? appHost(fastify).name.replaceAll(':', ' ')
  const box = openBox(fastify, config.encryptionKey)
  resealAtStart(fastify, { name: 'secrets of one-time codes', box, reseal: store?.reseal })
  const totp = new TotpService({ store: guardedStore(totpStore, store), box, clock, issuer })
  login.addFactor({
    method: 'totp',
    isEnrolled: async (identifier) => {
      const user = await host.users.findByIdentifier(identifier)
      return user !== null && (await totp.status(user)).enabled
    }
  })
  securityApi(fastify, (scope) => totpRoutes(scope, totp, host))
  return totp
}

function openBox(fastify: FastifyInstance, keys: string | readonly string[] | undefined): SecretBox {
  if (keys !== undefined) return boxOf(keys)
  if (inProduction(fastify)) throw keyProblem('the encryption key for one-time codes is missing')
  fastify.log.warn(
    { code: 'SVC_SEC_TOTP_KEY' },
    'totp.encryptionKey is not set: secrets are encrypted with a key of this process and are unreadable after a restart'
  )
  const secret = developmentSecret(appHost(fastify), 'svc-security/totp.encryptionKey', () => randomBytes(32))
  return new SecretBox(secret, TOTP_CONTEXT)
}

function boxOf(keys: string | readonly string[]): SecretBox {
  try {
    return new SecretBox(keys, TOTP_CONTEXT)
  } catch (error) {
    throw keyProblem(error instanceof Error ? error.message : 'the encryption key is not valid')
  }
}

function keyProblem(message: string): BootError {
  return new BootError([
    {
      code: 'SVC_SEC_TOTP_KEY',
      message,
      at: 'svc-security.totp.encryptionKey',
      expected: '32 random bytes, base64',
      fix: 'set it from an environment variable that holds the output of `openssl rand -base64 32`',
      more: 'npx svc docs second-factors'
    }
  ])
}
