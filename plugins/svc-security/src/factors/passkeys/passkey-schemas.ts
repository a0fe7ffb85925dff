/** Bodies of the passkey routes: what browsers send (WebAuthn level 3, 5.1.8), bounded. */
import { closed, object } from 'svc-kernel/schemas'

/**
 * Bytes of a registration, of who is logged in. Chromium sends 1 to 3 KB; the certificates of a TPM make it ten.
 * A login keeps to the limit of the security API: Chromium sends less than 1 KB, the largest signatures make it 7.
 */
export const REGISTRATION_LIMIT = 65_536

const base64url = (maxLength: number) => ({ type: 'string', pattern: '^[A-Za-z0-9_-]+$', maxLength }) as const

/** A credential with the answer of its authenticator. */
const credential = <Answer extends object>(response: Answer) =>
  ({
    type: 'object',
    maxProperties: 16,
    required: ['id', 'rawId', 'type', 'response'],
    properties: {
      id: base64url(1400),
      rawId: base64url(1400),
      type: { const: 'public-key' },
      authenticatorAttachment: { type: ['string', 'null'], maxLength: 32 },
      clientExtensionResults: { type: 'object', maxProperties: 32 },
      response
    }
  }) as const

const registration = credential({
  type: 'object',
  maxProperties: 16,
  required: ['clientDataJSON', 'attestationObject'],
  properties: {
    clientDataJSON: base64url(8192),
    attestationObject: base64url(49_152),
    transports: { type: 'array', maxItems: 16, items: { type: 'string', maxLength: 32 } }
  }
})

const assertion = credential({
  type: 'object',
  maxProperties: 16,
  required: ['clientDataJSON', 'authenticatorData', 'signature'],
  properties: {
    clientDataJSON: base64url(8192),
    authenticatorData: base64url(8192),
    signature: base64url(8192),
    userHandle: { type: ['string', 'null'], maxLength: 128 }
  }
})

const nickname = { type: ['string', 'null'], minLength: 1, maxLength: 100 } as const

export const registerBody = closed({ response: registration }, { nickname })

export const renameBody = closed({ nickname })

export const loginBody = closed({ response: assertion })

export const credentialParams = object({ id: base64url(1400) })
