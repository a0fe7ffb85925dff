/**
 * One-time codes as a second factor. A step and a recovery code work once, by the
 * store's compare-and-set; the secret rests in a box of its own context. Nothing
 * is enrolled until a first code proves that the app has the secret.
 */
import type { Clock } from 'svc-kernel'
import type { SecretBox } from 'svc-kernel/plugin'
import { AuthenticationUnavailable, TotpEnrolled, TotpNotStarted } from '../../errors.ts'
import { credentialsRefused, refusedFor } from '../../journal/audit-writer.ts'
import type { LoadedUser } from '../../users/user-source.ts'
import { matchingStep, newRecoveryCodes, newTotpSecret, recoveryHash, totpUri } from './totp-code.ts'
import type { TotpRecord, TotpStore } from './totp-store.ts'

/** Part of the key derivation: never changes. */
export const TOTP_CONTEXT = 'svc-security/totp'

export interface TotpParts {
  readonly store: TotpStore
  readonly box: SecretBox
  readonly clock: Clock
  /** Shown by the authenticator app. */
  readonly issuer: string
}

export interface TotpStatus {
  readonly enabled: boolean
  readonly recoveryCodesLeft: number
}

type Holder = Pick<LoadedUser, 'id' | 'identifier'>

export class TotpService {
  readonly #parts: TotpParts

  constructor(parts: TotpParts) {
    this.#parts = parts
  }

  /**
   * Starts an enrolment, or starts one again that waits. The secret is shown here and never again.
   *
   * @throws TotpEnrolled (409) when there is a confirmed one: disable it first
   */
  async enroll({ id, identifier }: Holder): Promise<{ secret: string; uri: string }> {
    const { box, issuer } = this.#parts
    const secret = newTotpSecret()
    const started = await this.#parts.store.enroll(id, box.seal(secret))
    if (!started) throw new TotpEnrolled()
    return { secret, uri: totpUri(secret, identifier, issuer) }
  }

  /**
   * Ends an enrolment with the first code.
   *
   * @returns the recovery codes, shown once
   * @throws TotpNotStarted (409), InvalidCredentials (401, reason `mfa_invalid`)
   */
  async confirm({ id }: Holder, code: string): Promise<string[]> {
    const record = await this.#find(id)
    if (record === null || record.confirmedAt !== null) throw new TotpNotStarted()
    const step = this.#step(record, code)
    if (step === null) throw credentialsRefused('mfa_invalid')
    const codes = newRecoveryCodes()
    const hashes = codes.flatMap((each) => recoveryHash(id, each) ?? [])
    const confirmed = await this.#parts.store.confirm(id, record.secretEnc, step, hashes)
    if (!confirmed) throw credentialsRefused('mfa_invalid')
    return codes
  }

  /**
   * Uses up a code or a recovery code.
   *
   * @throws InvalidCredentials (401, reason `mfa_invalid`), also for a code that was used before
   */
  async verify({ id }: Holder, code: string): Promise<'totp' | 'recovery'> {
    const record = await this.#find(id)
    if (record === null || record.confirmedAt === null) throw credentialsRefused('mfa_invalid')
    const hash = recoveryHash(id, code)
    if (hash !== null && (await this.#parts.store.useRecoveryCode(id, hash))) return 'recovery'
    const step = this.#step(record, code)
    if (step === null || !(await this.#parts.store.useStep(id, step))) throw credentialsRefused('mfa_invalid')
    return 'totp'
  }

  /** Ends the second factor, with a code as proof. @throws as `verify` */
  async disable(holder: Holder, code: string): Promise<void> {
    await this.verify(holder, code)
    await this.#parts.store.remove(holder.id)
  }

  /** Ends the second factor without a code: for administrators. @returns `false` without one, waiting or confirmed */
  remove({ id }: Pick<Holder, 'id'>): Promise<boolean> {
    return this.#parts.store.remove(id)
  }

  async status({ id }: Pick<Holder, 'id'>): Promise<TotpStatus> {
    const record = await this.#find(id)
    if (record === null || record.confirmedAt === null) return { enabled: false, recoveryCodesLeft: 0 }
    return { enabled: true, recoveryCodesLeft: record.recoveryHashes.length }
  }

  #find(id: string): Promise<TotpRecord | null> {
    return this.#parts.store.find(id)
  }

  /** A secret that cannot be opened, under another key, says nothing about the code: 503. */
  #step({ secretEnc }: TotpRecord, code: string): number | null {
    const { box, clock } = this.#parts
    return matchingStep(opened(box, secretEnc), code, clock.now())
  }
}

function opened(box: SecretBox, secretEnc: string): string {
  try {
    return box.open(secretEnc)
  } catch {
    throw refusedFor(new AuthenticationUnavailable(), 'the secret was sealed under another key')
  }
}
