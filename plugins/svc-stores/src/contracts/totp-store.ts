/** One-time codes (RFC 6238): one enrolment per user. A time step and a recovery code work once. */

export interface TotpRecord {
  /** The user's id. */
  readonly id: string
  /** Encrypted by the caller (`gcm1.`). */
  readonly secretEnc: string
  /** The last time step that was accepted; `null` before the first. */
  readonly lastStep: number | null
  /** Hashes of the recovery codes that are left. */
  readonly recoveryHashes: readonly string[]
  /** Epoch ms. */
  readonly createdAt: number
  /** Epoch ms; `null` while the enrolment waits for its first code. */
  readonly confirmedAt: number | null
}

export interface TotpStore {
  /** Starts an enrolment, or replaces one that was never confirmed. `false` when a confirmed one stands. */
  enroll(userId: string, secretEnc: string): Promise<boolean>
  find(userId: string): Promise<TotpRecord | null>
  /** Compare-and-set: confirms the waiting enrolment that holds this very secret; its first step counts as used. */
  confirm(userId: string, secretEnc: string, step: number, recoveryHashes: readonly string[]): Promise<boolean>
  /** Compare-and-set: accepts a step later than the last one, of a confirmed enrolment. */
  useStep(userId: string, step: number): Promise<boolean>
  /** Removes the code; `true` for exactly one caller. */
  useRecoveryCode(userId: string, hash: string): Promise<boolean>
  /** `false` without a confirmed enrolment. */
  replaceRecoveryCodes(userId: string, hashes: readonly string[]): Promise<boolean>
  /** `true` when this call removed it. */
  remove(userId: string): Promise<boolean>
}
