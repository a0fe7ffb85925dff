/**
 * Passkeys (WebAuthn level 3), by @simplewebauthn/server: registration for who is
 * logged in, login without a name. A challenge is the caller's to keep single-use.
 * The counter moves by the store's compare-and-set; a key that becomes portable
 * after its registration is refused.
 */
import { createHash } from 'node:crypto'
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import { PasskeyInvalid, PasskeyLimit, PasskeyNotFound } from '../../errors.ts'
import { credentialsRefused, readableError, refusedFor } from '../../journal/audit-writer.ts'
import type { LoadedUser } from '../../users/user-source.ts'
import { LastWayIn } from '../errors.ts'
import type { PasskeyRecord, PasskeySummary, PasskeysStore } from './passkeys-store.ts'

/** Loaded by the first passkey: most applications have none, and it is a large part of their boot. */
const webauthn = () => import('@simplewebauthn/server')

export const MAX_PASSKEYS = 20
export const CHALLENGE_MS = 60_000

/** The site that passkeys belong to. */
export interface RelyingParty {
  /** A domain: passkeys work on it and below it, and can never move to another. */
  readonly id: string
  /** Shown by the browser. */
  readonly name: string
  /** Pages from which passkeys are taken. */
  readonly origins: readonly string[]
}

type Owner = Pick<LoadedUser, 'id' | 'identifier'>

export interface ProvenPasskey {
  readonly userId: string
  /** True when the authenticator checked a PIN or a finger: two factors in one. */
  readonly userVerified: boolean
}

export class PasskeyService {
  readonly #store: PasskeysStore
  readonly #party: RelyingParty

  constructor(store: PasskeysStore, party: RelyingParty) {
    this.#store = store
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
    const saved = await this.#store.save({
      id: credential.id,
      userId,
      publicKey: Buffer.from(credential.publicKey).toString('base64url'),
      counter: credential.counter,
      transports: transportsOf(response),
      backupEligible: credentialDeviceType === 'multiDevice',
      backupState: credentialBackedUp,
      nickname
    })
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
    const stored = await this.#store.find(response.id)
    if (stored === null) throw credentialsRefused('passkey_unknown')
    const handle = response.response.userHandle
    if (handle && handle !== Buffer.from(userHandle(stored.userId)).toString('base64url'))
      throw credentialsRefused('passkey_owner')
    const { verifyAuthenticationResponse } = await webauthn()
    const { verified: holds, authenticationInfo } = await verified(
      () => verifyAuthenticationResponse({ response, credential: credentialOf(stored), ...this.#expected(challenge) }),
      credentialsRefused
    )
    if (!holds) throw credentialsRefused('passkey_signature')
    const { newCounter, userVerified, credentialDeviceType, credentialBackedUp } = authenticationInfo
    if ((credentialDeviceType === 'multiDevice') !== stored.backupEligible) throw credentialsRefused('passkey_backup')
    const advanced = await this.#store.advance(stored.id, newCounter, credentialBackedUp)
    if (!advanced) throw credentialsRefused('passkey_counter')
    return { userId: stored.userId, userVerified }
  }

  /** Newest first, without public keys. */
  async list({ id }: Pick<Owner, 'id'>): Promise<readonly PasskeySummary[]> {
    return (await this.#store.list({ userId: id }, { limit: MAX_PASSKEYS })).items
  }

  /** @throws PasskeyNotFound (404), also for another user's */
  async remove({ id }: Pick<Owner, 'id'>, passkeyId: string): Promise<void> {
    if (!(await this.#store.remove(passkeyId, id))) throw new PasskeyNotFound()
  }

  /** @throws PasskeyNotFound (404), also for another user's */
  async rename({ id }: Pick<Owner, 'id'>, passkeyId: string, nickname: string | null): Promise<void> {
    if (!(await this.#store.rename(passkeyId, id, nickname))) throw new PasskeyNotFound()
  }

  /**
   * Of two that are removed at once each may see the other: one that finds none afterwards is put back.
   *
   * @param hasAnotherWay asks whether the owner can log in without a passkey
   * @throws PasskeyNotFound (404), LastWayIn (409)
   */
  async removeUnlessLast(owner: Pick<Owner, 'id'>, passkeyId: string, hasAnotherWay: () => Promise<boolean>) {
    const found = await this.#store.find(passkeyId)
    if (found === null || found.userId !== owner.id) throw new PasskeyNotFound()
    const staysOpen = async () => (await this.list(owner)).some(({ id }) => id !== passkeyId) || hasAnotherWay()
    if (!(await staysOpen())) throw new LastWayIn()
    await this.remove(owner, passkeyId)
    if (await staysOpen()) return
    await this.#store.save(found)
    throw new LastWayIn()
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

/** 32 bytes; WebAuthn (section 14.6.1) forbids a handle from which the user can be recognised. */
export function userHandle(userId: string): Uint8Array<ArrayBuffer> {
  const digest = createHash('sha256')
    .update(JSON.stringify(['passkey handle', userId]))
    .digest()
  return new Uint8Array(digest)
}
