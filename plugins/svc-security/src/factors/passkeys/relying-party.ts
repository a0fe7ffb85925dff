/** The site that passkeys belong to, and the handle by which an authenticator knows a user of it. Pure. */
import { createHash } from 'node:crypto'

export interface RelyingParty {
  /** A domain: passkeys work on it and below it, and can never move to another. */
  readonly id: string
  /** Shown by the browser. */
  readonly name: string
  /** Pages from which passkeys are taken. */
  readonly origins: readonly string[]
}

/** 32 bytes; WebAuthn (section 14.6.1) forbids a handle from which the user can be recognised. */
export function userHandle(userId: string): Uint8Array<ArrayBuffer> {
  const digest = createHash('sha256')
    .update(JSON.stringify(['passkey handle', userId]))
    .digest()
  return new Uint8Array(digest)
}
