/** A key with its certificate, both as PEM text, and whether the two serve TLS together. */
import { createSecureContext } from 'node:tls'

export interface Certificate {
  readonly key: string
  readonly cert: string
}

/** @throws what OpenSSL says: text that is no PEM, or a key that is not the certificate's */
export function assertServes({ key, cert }: Certificate): void {
  createSecureContext({ key, cert })
}
