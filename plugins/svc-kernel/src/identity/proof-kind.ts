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
  /** It is issued after the login of a person, and can be issued again after a stronger one (RFC 9470). */
  readonly stepUp: boolean
}

/** What an authenticator says of its proofs; all of it may be left out. */
export interface SaidOfProof {
  readonly carrier?: Carrier | undefined
  readonly ambient?: boolean | undefined
  readonly subject?: ProofSubject | undefined
  readonly stepUp?: boolean | undefined
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
  readonly stepUp: boolean

  private constructor(carrier: Carrier, ambient: boolean, subject: ProofSubject, stepUp: boolean) {
    this.carrier = carrier
    this.ambient = ambient
    this.subject = subject
    this.stepUp = stepUp
    Object.freeze(this)
  }

  static of(carrier: Carrier, ambient: boolean, subject: ProofSubject, stepUp: boolean): Kind {
    const key = `${carrier} ${ambient} ${subject} ${stepUp}`
    const made = Kind.#made.get(key) ?? new Kind(carrier, ambient, subject, stepUp)
    Kind.#made.set(key, made)
    return made
  }

  static is(value: unknown): value is ProofKind {
    return typeof value === 'object' && value !== null && #one in value
  }
}

/** `ambient: false` makes no cookie safe: it is read for carriers alone that a program writes. */
export function proofKind({ carrier, ambient, subject, stepUp }: SaidOfProof, tokenType: string): ProofKind {
  const known = CARRIERS.has(carrier) ? (carrier as Carrier) : 'unknown'
  return Kind.of(
    known,
    ambient === true || !WRITTEN.has(known),
    subject === 'person' || subject === 'machine' ? subject : subjectOf(tokenType),
    stepUp === true
  )
}

/**
 * The kinds that an authenticator admits, by the type of its tokens, read once: what it does not say of the subject follows
 * from that type.
 */
export function proofKinds(said: SaidOfProof): (tokenType: string) => ProofKind {
  const person = proofKind({ ...said, subject: said.subject ?? 'person' }, '')
  const machine = proofKind({ ...said, subject: said.subject ?? 'machine' }, '')
  return (tokenType) => (NON_SCOPABLE_TOKEN_TYPES.has(tokenType) ? person : machine)
}

/** Of a token that no firewall admitted, its type decides; the rest is unsaid. */
export function proofOf(token: object): ProofKind {
  const { proof, type } = token as { readonly proof?: unknown; readonly type?: unknown }
  if (Kind.is(proof)) return proof
  // Own property only: a type inherited from a polluted prototype makes no machine a person.
  return proofKind(UNSAID, Object.hasOwn(token, 'type') ? String(type) : '')
}

const UNSAID: SaidOfProof = Object.freeze({})

/** Whether a browser may have sent by itself what proves it. */
export function isAmbient(token: object): boolean {
  return proofOf(token).ambient
}

/** Whether a program wrote the credential into its request: a browser adds none of this carrier, Basic excepted. */
export function isWritten(token: object): boolean {
  return WRITTEN.has(proofOf(token).carrier)
}

/** Whether a cookie may be what proves it: of a session, or of the application's own. */
export function mayBeCookie(token: object): boolean {
  const { carrier } = proofOf(token)
  return carrier === 'cookie' || carrier === 'unknown'
}

/** Whether scopes say what it may do. */
export function isMachine(token: object): boolean {
  return proofOf(token).subject === 'machine'
}

function subjectOf(tokenType: string): ProofSubject {
  return NON_SCOPABLE_TOKEN_TYPES.has(tokenType) ? 'person' : 'machine'
}

/** A visitor brings nothing that a page of another origin could misuse. */
export const NO_PROOF: ProofKind = Kind.of('header', false, 'person', false)
