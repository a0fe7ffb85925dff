/**
 * Passkeys (WebAuthn level 3), by @simplewebauthn/server: registration for who is
 * logged in, login without a name. A challenge is the caller's to keep single-use.
 * The counter moves by the store's compare-and-set; a key that becomes portable
 * after its registration is refused.
 */
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import type { PasskeyRecord, PasskeySummary, PasskeysStore } from 'svc-stores'
import {
  AuthenticationUnavailable,
  InvalidCredentials,
  PasskeyInvalid,
  PasskeyLimit,
  PasskeyUnknown
} from '../../errors.ts'
import { readableError } from '../../journal/readable-error.ts'
import { refusedFor } from '../../journal/refused-for.ts'
import { orUnavailable } from '../../stores/or-unavailable.ts'
import type { LoadedUser } from '../../users/user-source.ts'
import { type RelyingParty, userHandle } from './relying-party.ts'

/** Loaded by the first passkey: most applications have none, and it is a large part of their boot. */
const webauthn = () => import('@simplewebauthn/server')

export const MAX_PASSKEYS = 20
export const CHALLENGE_MS = 60_000

type Owner = Pick<LoadedUser, 'id' | 'identifier'>

export interface ProvenPasskey {
  readonly userId: string
  /** True when the authenticator checked a PIN or a finger: two factors in one. */
  readonly userVerified: boolean
}

export class PasskeyService {
  readonly #given: PasskeysStore | null
  readonly #party: RelyingParty

  /** @param store `null` where the brick is disabled: whoever needs it is answered 503 */
  constructor(store: PasskeysStore | null, party: RelyingParty) {
    this.#given = store
    this.#party = party
  }

  /** What a browser needs to make a passkey, with its challenge. @throws PasskeyLimit (409) */
  async registrationOptions({ id, identifier }: Owner) {
    const known = await this.list({ id })
    if (known.length >= MAX_PASSKEYS) throw new PasskeyLimit(String(MAX_PASSKEYS))
    const { generateRegistrationOptions } = await webauthn()
    return generateRegistrationOptions({
      rpID: this.#party.id,
      rpName: this.#party.name,
      userName: identifier,
      userID: userHandle(id),
      timeout: CHALLENGE_MS,
      attestationType: 'none',
      authenticatorSelection: { residentKey: 'required', userVerification: 'preferred' },
      excludeCredentials: known.map((passkey) => ({ id: passkey.id, transports: [...passkey.transports] }))
    })
  }

  /** @throws PasskeyInvalid (400), PasskeyLimit (409) */
  async register(
    { id: userId }: Owner,
    challenge: string,
    response: RegistrationResponseJSON,
    nickname: string | null
  ): Promise<PasskeySummary> {
    const { verifyRegistrationResponse } = await webauthn()
    const proven = await verified(
      () => verifyRegistrationResponse({ response, ...this.#expected(challenge) }),
      (cause) => refusedFor(new PasskeyInvalid(), cause)
    )
    if (!proven.verified) throw refusedFor(new PasskeyInvalid(), 'attestation')
    const { credential, credentialDeviceType, credentialBackedUp } = proven.registrationInfo
    const known = await this.list({ id: userId })
    if (known.length >= MAX_PASSKEYS && !known.some(({ id }) => id === credential.id)) {
      throw new PasskeyLimit(String(MAX_PASSKEYS))
    }
    const saved = await orUnavailable(() =>
      this.#store.save({
        id: credential.id,
        userId,
        publicKey: Buffer.from(credential.publicKey).toString('base64url'),
        counter: credential.counter,
        transports: transportsOf(response),
        backupEligible: credentialDeviceType === 'multiDevice',
        backupState: credentialBackedUp,
        nickname
      })
    )
    const { publicKey: _, ...summary } = saved
    return summary
  }

  /** What a browser needs to log in with any passkey of this site; says nothing about who has one. */
  async loginOptions() {
    const { generateAuthenticationOptions } = await webauthn()
    return generateAuthenticationOptions({
      rpID: this.#party.id,
      timeout: CHALLENGE_MS,
      userVerification: 'preferred'
    })
  }

  /** @throws InvalidCredentials (401, one text) with the true cause as `reason` */
  async prove(challenge: string, response: AuthenticationResponseJSON): Promise<ProvenPasskey> {
    const stored = await orUnavailable(() => this.#store.find(response.id))
    if (stored === null) throw refused('passkey_unknown')
    const handle = response.response.userHandle
    if (handle && handle !== Buffer.from(userHandle(stored.userId)).toString('base64url'))
      throw refused('passkey_owner')
    const { verifyAuthenticationResponse } = await webauthn()
    const { verified: holds, authenticationInfo } = await verified(
      () => verifyAuthenticationResponse({ response, credential: credentialOf(stored), ...this.#expected(challenge) }),
      refused
    )
    if (!holds) throw refused('passkey_signature')
    const { newCounter, userVerified, credentialDeviceType, credentialBackedUp } = authenticationInfo
    if ((credentialDeviceType === 'multiDevice') !== stored.backupEligible) throw refused('passkey_backup')
    const advanced = await orUnavailable(() => this.#store.advance(stored.id, newCounter, credentialBackedUp))
    if (!advanced) throw refused('passkey_counter')
    return { userId: stored.userId, userVerified }
  }

  /** Newest first, without public keys. */
  async list({ id }: Pick<Owner, 'id'>): Promise<readonly PasskeySummary[]> {
    return (await orUnavailable(() => this.#store.list({ userId: id }, { limit: MAX_PASSKEYS }))).items
  }

  /** @throws PasskeyUnknown (404), also for somebody else's */
  async remove({ id }: Pick<Owner, 'id'>, passkeyId: string): Promise<void> {
    if (!(await orUnavailable(() => this.#store.remove(passkeyId, id)))) throw new PasskeyUnknown()
  }

  get #store(): PasskeysStore {
    if (this.#given === null) throw new AuthenticationUnavailable()
    return this.#given
  }

  #expected(expectedChallenge: string) {
    const { id, origins } = this.#party
    return {
      expectedChallenge,
      expectedRPID: id,
      expectedOrigin: [...origins],
      requireUserVerification: false
    }
  }
}

/** Whatever the library finds wrong is the caller's mistake. */
async function verified<T>(work: () => Promise<T>, refusal: (cause: string) => Error): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw refusal(readableError(error).message)
  }
}

function credentialOf({ id, publicKey, counter, transports }: PasskeyRecord) {
  return { id, publicKey: new Uint8Array(Buffer.from(publicKey, 'base64url')), counter, transports: [...transports] }
}

function transportsOf({ response: { transports } }: RegistrationResponseJSON): string[] {
  return Array.isArray(transports) ? transports.filter((each) => /^[a-z-]{1,32}$/.test(each)).slice(0, 8) : []
}

function refused(reason: string): Error {
  return refusedFor(new InvalidCredentials(), reason)
}
