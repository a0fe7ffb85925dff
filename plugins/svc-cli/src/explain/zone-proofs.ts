/**
 * Which tokens a caller can arrive with in a zone: one for each authenticator that can come to decide, as the
 * firewall tries them. Pure.
 */
import type { ProofView, ZoneView } from '../application/security-view.ts'

const ANONYMOUS = 'anonymous'

/** Authenticators of svc-security that read `Authorization`, of which a request has one. */
const HEADER_READERS: ReadonlySet<string> = new Set(['userpassword', 'jwt', 'apikey'])

export interface ZoneProof extends ProofView {
  /** Why no request can bring it; `null` where one can. */
  readonly impossible: string | null
}

/**
 * @param proofs of the zone, in the order in which they are tried
 * @returns none where nobody but the anonymous visitor gets in
 */
export function zoneProofs({ mode, takesCredentials }: ZoneView, proofs: readonly ProofView[]): ZoneProof[] {
  const anonymousAt = proofs.findIndex(({ authenticator }) => authenticator === ANONYMOUS)
  if (mode === 'first') {
    // `anonymous` claims every request: what follows is never tried.
    const tried = anonymousAt === -1 ? proofs : proofs.slice(0, anonymousAt)
    return tried.map((proof) => ({ ...proof, impossible: null }))
  }
  if (!takesCredentials) return []
  const last = proofs.at(-1)
  const readers = proofs.filter(({ authenticator }) => HEADER_READERS.has(authenticator))
  const impossible = anonymousAt !== -1 ? 'two_subjects' : readers.length > 1 ? 'one_authorization_header' : null
  const authenticator = proofs.map((proof) => proof.authenticator).join(' + ')
  return [{ authenticator, token: last?.token ?? ANONYMOUS, impossible }]
}
