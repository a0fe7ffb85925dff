/**
 * The signing secrets of endpoints at rest (spec, "Secret storage"): encrypted for webhooks only, so that the key of
 * another use, such as one-time codes, opens nothing here. The context is part of every stored secret and never changes.
 */
import { randomBytes } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { appHost, BootError, type Mode, type Problem, warnAtBoot } from 'svc-kernel'
import { developmentSecret, SecretBox, type SecretKey } from 'svc-kernel/plugin'

/** Whose secrets they are: each package has a context of its own, so that no secret of one opens for another. */
export interface SecretsOwner {
  readonly plugin: string
  /** Part of every stored secret; it never changes. */
  readonly context: string
  /** The variable of the environment that has the key by convention. */
  readonly variable: string
}

const WEBHOOKS: SecretsOwner = {
  plugin: 'svc-webhooks',
  context: 'svc-webhooks/secret',
  variable: 'SVC_WEBHOOK_KEY'
}

export interface EndpointSecrets {
  /** The blob to store, `gcm1.` and base64url; another one on every call. */
  seal(secret: string): string
  /** @throws InvalidSecretBox (SVC_KERNEL_SECRET_BOX) for what this key did not seal, or what was cut or altered. */
  open(secretEnc: string): string
  /** The same under the first key, `null` where it rests under that already. @throws as `open` */
  reseal(secretEnc: string): string | null
  readonly hasFormerKeys: boolean
}

/**
 * @param keys 32 bytes, base64 or raw; of several the first seals, each opens
 * @throws InvalidSecretKey (SVC_KERNEL_SECRET_KEY) when one is not exactly that
 */
export function createEndpointSecrets(
  keys: SecretKey | readonly SecretKey[],
  { context }: Pick<SecretsOwner, 'context'> = WEBHOOKS
): EndpointSecrets {
  return new SecretBox(keys, context)
}

/** As the option gives it: one key, or the new one before the former ones. */
type ConfiguredKeys = string | readonly string[]

export type KeyVerdict =
  | { readonly kind: 'configured'; readonly key: ConfiguredKeys }
  /** A key of this process: what it sealed cannot be read after a restart. */
  | { readonly kind: 'ephemeral'; readonly problem: Problem }
  /** No webhooks. */
  | { readonly kind: 'missing'; readonly problem: Problem }

const optionOf = ({ plugin, variable }: SecretsOwner) => ({
  at: `${plugin}.encryptionKey`,
  expected: '32 random bytes, base64',
  fix: `set ${variable} to the output of \`openssl rand -base64 32\`, and read it in env.ts`,
  more: 'npx svc docs webhooks'
})

/** Which key seals the secrets, and the problem to report where none is configured. Pure. */
export function findKey(configured: ConfiguredKeys | undefined, mode: Mode, owner = WEBHOOKS): KeyVerdict {
  if (configured !== undefined) return { kind: 'configured', key: configured }
  if (mode === 'production') {
    const message = 'webhooks are disabled: encryptionKey is missing'
    return { kind: 'missing', problem: { code: 'SVC_WEBHOOK_KEY_MISSING', message, ...optionOf(owner) } }
  }
  const message =
    'encryptionKey is not set: secrets of webhooks are encrypted with a key of this process and are unreadable after a restart'
  return { kind: 'ephemeral', problem: { code: 'SVC_WEBHOOK_KEY_EPHEMERAL', message, ...optionOf(owner) } }
}

/**
 * Opens the secrets from the options and the mode of the application.
 *
 * @returns `null` where production has no key, with a warning in the log
 * @throws BootError SVC_WEBHOOK_KEY_INVALID for a key that is not 32 bytes of base64
 */
export function openSecrets(
  fastify: FastifyInstance,
  configured: ConfiguredKeys | undefined,
  owner: SecretsOwner = WEBHOOKS
): EndpointSecrets | null {
  const host = appHost(fastify)
  const verdict = findKey(configured, host.mode, owner)
  if (verdict.kind === 'configured') return configuredSecrets(verdict.key, owner)
  warnAtBoot(fastify, verdict.problem)
  if (verdict.kind === 'missing') return null
  const key = developmentSecret(host, `${owner.plugin}/encryptionKey`, () => randomBytes(32))
  return createEndpointSecrets(key, owner)
}

function configuredSecrets(keys: ConfiguredKeys, owner: SecretsOwner): EndpointSecrets {
  try {
    return createEndpointSecrets(keys, owner)
  } catch (error) {
    const message = 'encryptionKey is not valid'
    const got = error instanceof Error ? error.message : 'unreadable'
    throw new BootError([{ code: 'SVC_WEBHOOK_KEY_INVALID', message, got, ...optionOf(owner) }])
  }
}
