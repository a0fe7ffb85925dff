/**
 * What kind of proof stands behind an identity: how a request carries the credential, whether a browser sends it by itself,
 * and whether it is a person's or a machine's. The authenticator says it, never the proof, and what it does not say counts
 * as the stricter.
 */

/**
 * How a request carries a credential: in `Authorization`, in another header that a program writes, in a cookie, by the
 * connection itself (a client certificate, an address), or in a way that the authenticator does not say.
 */
export type Carrier = 'authorization' | 'header' | 'cookie' | 'connection' | 'unknown'

/** A machine may do what its scopes name; a person is not narrowed by scopes. */
export type ProofSubject = 'person' | 'machine'

export interface ProofKind {
  readonly carrier: Carrier
  /** A browser sends it by itself, also for a page of another origin. */
  readonly ambient: boolean
  readonly subject: ProofSubject
}

/** What an authenticator says of its proofs; all of it may be left out. */
export interface SaidOfProof {
  readonly carrier?: Carrier | undefined
  readonly ambient?: boolean | undefined
  readonly subject?: ProofSubject | undefined
}

/** Carriers that a page of another origin cannot write without being asked for (a CORS preflight). */
const WRITTEN: ReadonlySet<unknown> = new Set<Carrier>(['authorization', 'header'])

const CARRIERS: ReadonlySet<unknown> = new Set<Carrier>([
  ...(WRITTEN as Set<Carrier>),
  'cookie',
  'connection',
  'unknown'
])

/** Token types that scopes never narrow: a person's own login. The contract names them; any other type is a machine's. */
export const NON_SCOPABLE_TOKEN_TYPES: ReadonlySet<string> = new Set(['session', 'userpassword', 'anonymous'])

/** One of the few kinds there are, each made once: two are compared by identity. */
class Kind implements ProofKind {
  static readonly #made = new Map<string, Kind>()
  readonly #one = true
  readonly carrier: Carrier
  readonly ambient: boolean
  readonly subject: ProofSubject

  private constructor(carrier: Carrier, ambient: boolean, subject: ProofSubject) {
    this.carrier = carrier
    this.ambient = ambient
    this.subject = subject
    Object.freeze(this)
  }

  static of(carrier: Carrier, ambient: boolean, subject: ProofSubject): Kind {
    const key = `${carrier} ${ambient} ${subject}`
    const made = Kind.#made.get(key) ?? new Kind(carrier, ambient, subject)
    Kind.#made.set(key, made)
    return made
  }

  static is(value: unknown): value is ProofKind {
    return typeof value === 'object' && value !== null && #one in value
  }
}

/** `ambient: false` makes no cookie safe: it is read for carriers alone that a program writes. */
export function proofKind({ carrier, ambient, subject }: SaidOfProof, tokenType: string): ProofKind {
  const known = CARRIERS.has(carrier) ? (carrier as Carrier) : 'unknown'
  return Kind.of(
    known,
    ambient === true || !WRITTEN.has(known),
    subject === 'person' || subject === 'machine' ? subject : subjectOf(tokenType)
  )
}

export function isProofKind(value: unknown): value is ProofKind {
  return Kind.is(value)
}

function subjectOf(tokenType: string): ProofSubject {
  return NON_SCOPABLE_TOKEN_TYPES.has(tokenType) ? 'person' : 'machine'
}

/** A visitor brings nothing that a page of another origin could misuse. */
export const NO_PROOF: ProofKind = Kind.of('header', false, 'person')
