/**
 * The signing secret of an endpoint at rest, encrypted for webhooks alone: the
 * key of another use, such as one-time codes, opens nothing here. The context
 * is part of every stored secret and never changes.
 */
import { SecretBox } from 'svc-kernel'

const WEBHOOK_CONTEXT = 'svc-webhooks/secret'

export interface EndpointSecrets {
  /** The blob to store, `gcm1.` and base64url; another one on every call. */
  seal(secret: string): string
  /** @throws InvalidSecretBox (SVC_KERNEL_SECRET_BOX) for what this key did not seal, or what was cut or altered. */
  open(secretEnc: string): string
}

/**
 * @param key 32 bytes, base64 or raw
 * @throws InvalidSecretKey (SVC_KERNEL_SECRET_KEY) when it is not exactly that
 */
export function createEndpointSecrets(key: string | Uint8Array): EndpointSecrets {
  const box = new SecretBox(key, WEBHOOK_CONTEXT)
  return Object.freeze({
    seal: (secret: string) => box.seal(secret),
    open: (secretEnc: string) => box.open(secretEnc)
  })
}
