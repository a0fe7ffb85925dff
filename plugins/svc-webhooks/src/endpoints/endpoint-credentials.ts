/**
 * What of an endpoint is sealed, in one blob that changes as a whole: the secret, the one before it while both sign, and
 * its own headers. A secret alone is sealed as it is, as it always was.
 */
import { SecretUnreadable } from '../errors.ts'
import type { EndpointSecrets } from './endpoint-secrets.ts'

export type EndpointHeaders = Readonly<Record<string, string>>

export interface PreviousSecret {
  readonly secret: string
  /** Epoch ms: it signs until then. */
  readonly endsAt: number
}

export interface EndpointCredentials {
  /** `whsec_...` */
  readonly secret: string
  readonly previous: PreviousSecret | null
  /** Names in lower case. */
  readonly headers: EndpointHeaders
}

const NONE: EndpointHeaders = Object.freeze({})

/** The blob to store. */
export function sealCredentials(secrets: EndpointSecrets, credentials: EndpointCredentials): string {
  const { secret, previous, headers } = credentials
  const plain = previous === null && Object.keys(headers).length === 0
  return secrets.seal(plain ? secret : JSON.stringify({ secret, previous, headers }))
}

/** @throws InvalidSecretBox (SVC_KERNEL_SECRET_BOX) for what this key did not seal, or what was cut or altered */
export function openCredentials(secrets: Pick<EndpointSecrets, 'open'>, sealed: string): EndpointCredentials {
  const text = secrets.open(sealed)
  // No secret begins with a brace: it is `whsec_` and base64.
  return text.startsWith('{')
    ? (JSON.parse(text) as EndpointCredentials)
    : { secret: text, previous: null, headers: NONE }
}

/** @throws SecretUnreadable (409) */
export function readCredentials(secrets: EndpointSecrets, sealed: string): EndpointCredentials {
  try {
    return openCredentials(secrets, sealed)
  } catch {
    throw new SecretUnreadable()
  }
}

/** The secrets that sign at a moment, the newest first. @param now epoch ms */
export function signingSecrets({ secret, previous }: EndpointCredentials, now: number): readonly string[] {
  return previous === null || previous.endsAt <= now ? [secret] : [secret, previous.secret]
}

/** In seconds, a week: two secrets are twice as much to keep. */
export const LONGEST_OVERLAP_S = 604_800

/**
 * A new secret, beside the one there is for as long as the overlap lasts. Two secrets at most: one that was on its way
 * out already ends now.
 *
 * @param now epoch ms
 */
export function rotated(
  before: EndpointCredentials,
  secret: string,
  { overlapS, now }: { readonly overlapS: number; readonly now: number }
): EndpointCredentials {
  const previous = overlapS === 0 ? null : { secret: before.secret, endsAt: now + overlapS * 1000 }
  return { secret, previous, headers: before.headers }
}
