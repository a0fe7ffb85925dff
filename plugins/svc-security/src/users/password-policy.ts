/**
 * Which passwords may be set, wherever one is: as long as the option says, and taken by the check of the application,
 * such as a list of leaked ones. A login is never asked: whoever has an older, shorter password keeps it until it changes.
 */
import type { Clock } from 'svc-kernel'
import { withTimeout } from 'svc-kernel/plugin'
import { AuthenticationUnavailable, InvalidPassword } from '../errors.ts'
import { printable, refusedFor } from '../journal/audit-writer.ts'
import { orUnavailable } from '../stores/guarded-store.ts'

/**
 * Says why a password is refused, as the end of the sentence "the password ...", such as `is in a list of leaked
 * passwords`; `null` takes it. It has five seconds; without an answer the password is not set (503).
 *
 * @param identifier of its user; `null` where it is not known
 */
export type PasswordCheck = (password: string, identifier: string | null) => string | null | Promise<string | null>

export interface PasswordRules {
  /** In characters, as Unicode counts them. */
  readonly minLength: number
  readonly check: PasswordCheck | undefined
  readonly clock: Clock
}

const DEADLINE_MS = 5000

/** @throws InvalidPassword (SVC_SEC_PASSWORD, 400), AuthenticationUnavailable (503) where the check cannot answer */
export async function checkNewPassword(
  password: string,
  identifier: string | null,
  { minLength, check, clock }: PasswordRules
): Promise<void> {
  if (typeof password !== 'string' || password === '') throw new InvalidPassword('is empty')
  if ([...password.normalize('NFC')].length < minLength) {
    throw new InvalidPassword(`has fewer than ${minLength} characters`)
  }
  if (check === undefined) return
  const late = () => refusedFor(new AuthenticationUnavailable(), 'passwords.check returned no answer')
  const ask = async () => check(password, identifier)
  const reason: unknown = await orUnavailable(() => withTimeout(DEADLINE_MS, clock, ask, late))
  // An answer that is neither takes no password: what `check` meant is not known.
  if (reason !== null) throw new InvalidPassword(typeof reason === 'string' ? printable(reason) : 'is not accepted')
}
