/** The box of the endpoints' secrets, from the options and the mode of the application. */
import { randomBytes } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { appHost, BootError, developmentSecret, warnProblem } from 'svc-kernel'
import { createEndpointSecrets, type EndpointSecrets } from '../secrets/endpoint-secrets.ts'
import { badKey, findKey } from './find-key.ts'

/**
 * @returns `null` where production has no key; that is told at WARN
 * @throws BootError SVC_WEBHOOK_KEY_INVALID for a key that is not 32 bytes of base64
 */
export function openSecrets(fastify: FastifyInstance, configured: string | undefined): EndpointSecrets | null {
  const host = appHost(fastify)
  const verdict = findKey(configured, host.mode)
  if (verdict.kind === 'configured') return checkedSecrets(verdict.key)
  warnProblem(fastify.log, verdict.problem)
  if (verdict.kind === 'missing') return null
  return createEndpointSecrets(developmentSecret(host, 'svc-webhooks/encryptionKey', () => randomBytes(32)))
}

function checkedSecrets(key: string): EndpointSecrets {
  try {
    return createEndpointSecrets(key)
  } catch (error) {
    throw new BootError([badKey(error instanceof Error ? error.message : 'unreadable')])
  }
}
