/**
 * Whether there is a key for the secrets of endpoints, and what to say where there is
 * none (spec, "Secret storage"). Pure: facts in, verdict out.
 */
import type { Mode, Problem } from 'svc-kernel'

export type KeyVerdict =
  | { readonly kind: 'configured'; readonly key: string }
  /** A key of this process: what it sealed cannot be read after a restart. */
  | { readonly kind: 'ephemeral'; readonly problem: Problem }
  /** No webhooks. */
  | { readonly kind: 'missing'; readonly problem: Problem }

const OPTION = {
  at: 'svc-webhooks.encryptionKey',
  expected: '32 random bytes, base64',
  fix: 'put the output of `openssl rand -base64 32` into SVC_WEBHOOK_KEY and read it in env.ts',
  more: 'docs/guides/webhooks.md'
} as const

export function findKey(configured: string | undefined, mode: Mode): KeyVerdict {
  if (configured !== undefined) return { kind: 'configured', key: configured }
  if (mode === 'production') {
    const message = 'webhooks are disabled: there is no key for their secrets'
    return { kind: 'missing', problem: { code: 'SVC_WEBHOOK_KEY_MISSING', message, ...OPTION } }
  }
  const message =
    'there is no key for the secrets of webhooks: one of this process is used, and stored secrets cannot be read after a restart'
  return { kind: 'ephemeral', problem: { code: 'SVC_WEBHOOK_KEY_EPHEMERAL', message, ...OPTION } }
}

/** @param finding such as `decodes to 16 bytes`; never the key */
export function badKey(finding: string): Problem {
  const message = 'the key for the secrets of webhooks cannot be used'
  return { code: 'SVC_WEBHOOK_KEY_INVALID', message, got: finding, ...OPTION }
}
